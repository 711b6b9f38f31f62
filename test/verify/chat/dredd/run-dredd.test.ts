import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import type { Case } from "../../../../src/contract/chat/cases.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { atFeatureLevel } from "../../../../src/contract/chat/level/at-feature-level.js";
import { casesAtLevel } from "../../../../src/contract/chat/level/cases-at-level.js";
import { type RunDreddOptions, runDredd } from "../../../../src/verify/chat/dredd/run-dredd.js";
import type { Check } from "../../../../src/verify/check.js";
import { needing } from "../../../support/needing.js";
import { useOwnTemporaryFolder } from "../../../support/own-temporary-folder.js";
import type { Answer } from "../example-server.js";
import { startStubChat, stubKeys, stubState } from "../stub-chat.js";

const contract = atFeatureLevel(await loadContract(), newestLevel);
const all = casesAtLevel(await loadContract(), newestLevel);

function find(...keys: string[]): Case[] {
  return keys.map((key) => {
    const found = all.find(({ operationId, name }) => `${operationId}/${name}` === key);
    if (found === undefined) throw new Error(`unknown case ${key}`);
    return found;
  });
}

/** Runs cases in one process and returns the checks by id. */
async function run(
  cases: readonly Case[],
  server: { readonly url: string; readonly statesUrl?: string },
  more: Partial<RunDreddOptions> = {},
): Promise<Map<string, Check>> {
  const checks = await runDredd(cases, { ...server, contract, level: newestLevel, jobs: 1, ...more });
  return new Map(checks.map((check) => [check.id, check]));
}

function isTopicEdit({ operationId, name }: Case): boolean {
  return operationId === "editMessage" && name === "topic";
}

/** The response that a case expects. */
function own({ response }: Case): Answer {
  return { status: response.status, body: response.body };
}

describe("runDredd", () => {
  it("judges each case separately", async () => {
    const cases = find(
      "getUserStatus/away",
      "unsubscribe/other_user_by_id",
      "uploadFile/text_file",
      "muteUser/unknown_user",
      "deleteAttachment/no_credentials",
      "getServerSettings/before_login",
      "addDefaultChannel/by_member",
      "updateMutedTopic/mute_by_id",
    );
    const [away, , upload, , , settings] = cases;
    if (away === undefined || upload === undefined || settings === undefined) throw new Error("unknown case");
    const answers: Record<string, Answer> = {
      "/users/": own(away),
      "/users/me/subscriptions": {
        body: { result: "success", msg: "", removed: [], not_removed: [1], key: stubKeys[3] },
      },
      "/user_uploads": own(upload),
      "/users/me/muted_users/": { status: 400, body: { result: "error", msg: "No such user", code: "BAD_REQUEST" } },
      "/attachments/": { status: 401, type: "text/html", body: "<p>" },
      "/server_settings": own(settings),
      "/default_streams": { status: 500, body: "oops" },
      "/users/me/subscriptions/muted_topics": { body: { result: "success", msg: "" } },
    };
    const values = { stream_id: 9, message_id: 8, attachment_id: 3, user_id: 7 };
    const server = await startStubChat(
      ({ url = "" }) => {
        const path = url
          .replace("/api/v1", "")
          .replace(/\?.*/, "")
          .replace(/\/\d+(\/status)?$/, "/");
        return answers[path] ?? { status: 404, body: path };
      },
      ({ state }) => (state === "attachment" ? { status: 500, body: "x" } : { body: stubState(values) }),
    );
    const checks = await run(cases, server);

    expect(Object.fromEntries([...checks].map(([id, { outcome }]) => [id, outcome.kind]))).toEqual({
      "case getUserStatus/away": "passed",
      "case unsubscribe/other_user_by_id": "failed",
      "case uploadFile/text_file": "passed",
      "case muteUser/unknown_user": "passed",
      "case deleteAttachment/no_credentials": "failed",
      "case getServerSettings/before_login": "passed",
      "case addDefaultChannel/by_member": "failed",
      "case updateMutedTopic/mute_by_id": "passed",
    });
    expect(checks.get("case unsubscribe/other_user_by_id")).toMatchObject({
      kind: "case",
      operation: "unsubscribe",
      rules: expect.arrayContaining(["subscriptions.remove.principals-by-id"]),
      outcome: {
        problems: [
          "/not_removed/0: must be string",
          expect.stringMatching(/^\/removed: expected \[".+"\], got \[\]$/),
          expect.any(String),
        ],
        trace: [
          {
            command: expect.stringMatching(
              /^curl .*--data-raw '\{"state":"channel",.*"action":"setup","check":"case unsubscribe\/other_user_by_id"\}' \S+\/states$/,
            ),
            response: expect.stringContaining('"api_key":"***"'),
          },
          {
            command: expect.stringMatching(
              /^curl -X DELETE -u 'administrator@org\.example:\*\*\*' .*--data-urlencode 'principals=\[\d+\]' http:\S+ # \*{3} is credentials\.administrator\.api_key in the answer to POST \/states/,
            ),
            request: expect.stringContaining("Authorization: Basic ***"),
            response: expect.stringMatching(/^200 OK\n.*"key":"\*\*\*"/s),
          },
        ],
      },
    });
    expect(checks.get("case deleteAttachment/no_credentials")).toMatchObject({
      outcome: {
        problems: ['content type: expected application/json, got "text/html"', 'body: expected JSON, got "<p>"'],
      },
    });
    expect(checks.get("case addDefaultChannel/by_member")).toMatchObject({
      outcome: { problems: [expect.stringMatching(/^status: expected 400, got 500 with "oops"/)] },
    });
    expect(JSON.stringify([...checks])).not.toMatch(new RegExp(stubKeys.join("|")));
    // The fragment that distinguishes the path keys of the cases is not sent.
    expect(server.seen.filter(({ url }) => url?.includes("#"))).toEqual([]);
  });

  it("says what a failing state handler must return, and which values a case needs", async () => {
    const server = await startStubChat(
      () => ({ body: {} }),
      ({ state }) => {
        if (state === "organization") return { status: 400, body: { msg: "Unknown state: organization" } };
        return state === "channel" ? { body: stubState({ stream: "x" }) } : { body: { organization: 1 } };
      },
    );
    const cases = find("unsubscribe/other_user_by_id", "muteUser/unknown_user", "updateMutedTopic/mute_by_id");
    const checks = await run(cases, server);
    const outcomes = [...checks.values()].map(({ outcome }) => outcome);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["errored", "errored", "errored"]);
    const text = JSON.stringify(outcomes);
    expect(text).toContain("Provider state channel could not be set up: the answer has no stream_id");
    expect(text).toContain("organization must be a string, but is an integer");
    expect(outcomes.map((outcome) => outcome.kind === "errored" && outcome.help)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/POST \/states with \{"state":"channel".*"stream_id": <integer>/s),
      ]),
    );
    expect(server.seen.filter(({ url }) => url !== "/states")).toEqual([]);
  });

  it("skips only the cases that need provider states if there are none", async () => {
    const refused = { status: 401, body: { result: "error", msg: "", code: "UNAUTHORIZED" } };
    const server = await startStubChat(() => refused);
    const cases = find("deleteAttachment/no_credentials", "muteUser/wrong_credentials", "muteUser/own_user");
    const checks = await run(cases, { url: server.url });
    expect(Object.fromEntries([...checks].map(([id, { outcome }]) => [id, outcome]))).toEqual({
      "case deleteAttachment/no_credentials": { kind: "passed" },
      "case muteUser/wrong_credentials": { kind: "passed" },
      "case muteUser/own_user": { kind: "skipped", reason: "it needs provider states: give --states" },
    });
    expect(server.seen.map(({ authorization }) => authorization)).toEqual([
      undefined,
      expect.stringMatching(/^Basic /),
    ]);
  });

  it("applies the contract of the level", async () => {
    // Newer levels define this field of a successful edit; older ones do not know it.
    const server = await startStubChat(() => ({ body: { result: "success", msg: "", detached_uploads: 1 } }));
    const level = 1;
    const view = atFeatureLevel(await loadContract(), level);
    const older = casesAtLevel(await loadContract(), level).filter(isTopicEdit);
    const [then] = await runDredd(older, { ...server, contract: view, level });
    expect(then).toMatchObject({ id: "case editMessage/topic", outcome: { kind: "passed" } });
    const [now] = await runDredd(all.filter(isTopicEdit), { ...server, contract, level: newestLevel });
    expect(now?.outcome).toMatchObject({
      kind: "failed",
      problems: ["/detached_uploads: must be array"],
    });
  });

  it("distinguishes a missing response from a wrong one", async () => {
    const checks = await run(find("deleteAttachment/no_credentials"), { url: "http://127.0.0.1:1" });
    expect(checks.get("case deleteAttachment/no_credentials")?.outcome).toMatchObject({
      kind: "errored",
      reason: expect.stringMatching(/^the server did not answer: .*ECONNREFUSED/),
      trace: [{ command: "curl -X DELETE http://127.0.0.1:1/api/v1/attachments/31" }],
    });
  });

  needing("ps").it("leaves nothing behind", async () => {
    const folder = useOwnTemporaryFolder();
    const server = await startStubChat(() => ({ status: 401, body: {} }));
    await run(find("deleteAttachment/no_credentials"), { url: server.url });
    expect([folder.files(), folder.processes()]).toEqual([[], []]);
  });
});
