import { describe, expect, it, onTestFinished } from "vitest";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { createChatReference } from "../../reference/chat/create-chat-reference.js";
import { combine } from "../../scripts/faults/chat/combine.js";
import { startFaultProxy } from "../../scripts/faults/chat/create-fault-proxy.js";
import { faults } from "../../scripts/faults/chat/faults.js";
import { loadContract } from "../../src/chat/contract.js";
import { casesAtLevel } from "../../src/contract/rest/level/cases-at-level.js";
import { runInProcess } from "../support/run-in-process.js";
import { startStubChat, stubKeys, stubState } from "../verify/rest/stub-chat.js";
import { documentOf, runStockDredd } from "./run-stock-dredd.js";

async function startReference(featureLevel = newestLevel) {
  const server = await createChatReference({ states: true, featureLevel });
  onTestFinished(() => server.close());
  return server;
}

/** Faults of different operations, each with the case that fails. */
const planted: readonly (readonly [kind: string, fault: string, failing: string])[] = [
  ["a field of the wrong type", "number-as-text", "createProfileField/short_text"],
  ["a value outside its enum", "value-outside-enum", "getMessages/unicode_reaction"],
  ["a wrong status", "created-instead-of-ok", "createReminder/with_note"],
  ["an envelope without a code", "no-code", "deleteAttachment/unknown_attachment"],
  ["a wrong content type", "content-type-text-json", "registerPushDevice/android_device"],
  ["a request that must be refused", "own-user-muted", "muteUser/own_user"],
  ["a missing permission", "guest-becomes-administrator", "updateUserByEmail/guest_to_administrator"],
  ["a wrong value", "away-means-present", "getUserStatus/away"],
  ["a lost effect", "nothing-detached", "editMessage/detached_upload"],
];

describe("Dredd with the hooks of this package", () => {
  it("passes every case of the newest level on the reference server, without a warning of Dredd", async () => {
    const { url } = await startReference();
    const { stdout } = await runInProcess("spec", "chat", "--profile", "dredd");
    const { passed, failed, skipped, output } = await runStockDredd({ url, document: stdout });
    expect(output).not.toMatch(/^(warn|error)/m);
    expect({ failed, skipped }).toEqual({ failed: [], skipped: [] });
    const cases = casesAtLevel(await loadContract(), newestLevel);
    expect(passed).toEqual(cases.map(({ operationId, name }) => `${operationId}/${name}`).sort());
  });

  it("reads the level from the document", async () => {
    const { url } = await startReference(1);
    const document = await documentOf((_, index) => index % 8 === 0, 1);
    const { passed, failed, skipped } = await runStockDredd({ url, document });
    expect({ failed, skipped }).toEqual({ failed: [], skipped: [] });
    expect(passed.length).toBeGreaterThan(30);
  });

  describe("on a faulty server", () => {
    const failing = planted.map(([, , key]) => key);
    const run = memo(async () => {
      const reference = await createChatReference({ states: true });
      const chosen = planted.map(([, name]) => faults.find((one) => one.name === name)?.behaviour);
      const behaviours = chosen.filter((behaviour) => behaviour !== undefined);
      const { url, close } = await startFaultProxy(reference.url, combine(behaviours));
      try {
        return await runStockDredd({ url, document: await documentOf((key) => [...failing, sound].includes(key)) });
      } finally {
        await close();
        await reference.close();
      }
    });

    it.each(planted)("reports %s", async (_, __, key) => {
      expect((await run()).failed).toContain(key);
    });

    it("passes the cases of other operations", async () => {
      expect((await run()).passed).toEqual([sound]);
    });
  });

  it("accepts what the contract leaves open, skips what the server lacks, and hides keys", async () => {
    const refusal = { result: "error", msg: "No", code: "BAD_REQUEST" };
    const server = await startStubChat(
      ({ url }) =>
        url?.startsWith("/api/v1/users/me/muted_users/") === true
          ? { status: 409, type: "application/json; charset=utf-8", body: refusal }
          : { headers: { "X-Key": stubKeys.join() }, body: { result: "success", msg: "", api_key: stubKeys[1] } },
      ({ state }) => ({ status: state === "attachment" ? 501 : 200, body: stubState({ stream_id: 9, message_id: 8 }) }),
    );
    const cases = ["muteUser/own_user", "unsubscribe/other_user_by_id", "deleteAttachment/unused_file"];
    const document = await documentOf((key) => cases.includes(key));
    const { passed, failed, skipped, output } = await runStockDredd({ url: server.url, document });
    expect({ passed, failed, skipped }).toEqual({
      passed: ["muteUser/own_user"],
      failed: ["unsubscribe/other_user_by_id"],
      skipped: [expect.stringMatching(/^deleteAttachment\/unused_file: .* \(Provider state .* status 501/)],
    });
    expect(output).toContain("Authorization: ***");
    expect(output).not.toMatch(new RegExp([...stubKeys, ...stubKeys.map((key) => btoa(key).slice(0, 12))].join("|")));
  });

  it("skips what needs provider states if there are none, and rejects a case that this package lacks", async () => {
    const server = await startStubChat(() => ({
      status: 401,
      body: { result: "error", msg: "No", code: "UNAUTHORIZED" },
    }));
    const cases = ["muteUser/own_user", "muteUser/no_credentials", "muteUser/bot"];
    const document = (await documentOf((key) => cases.includes(key))).replace("#bot", "#robot");
    const { passed, skipped, output } = await runStockDredd({ url: server.url, hasStates: false, document });
    expect({ passed, skipped }).toEqual({
      passed: ["muteUser/no_credentials"],
      skipped: [expect.stringMatching(/^muteUser\/own_user: .* \(it needs provider states: set ACCORD_STATES_URL/)],
    });
    expect(output).toContain("The API description has a case that level 415 lacks: write it with `accord spec chat");
    expect(output).toContain("1 passing, 1 failing, 0 errors, 1 skipped");
  });

  it("rejects an invalid URL of the provider states, and a document without a level", async () => {
    const document = await documentOf((key) => key === "muteUser/own_user");
    const run = (url: string, text: string) => runStockDredd({ url, document: text });
    await expect(run("moon", document)).rejects.toThrow(/provider states must be http or https/);
    const other = document.replace("x-feature-level", "x-level");
    await expect(run("http://127.0.0.1:1", other)).rejects.toThrow(/The API description has no x-feature-level: write/);
  });
});

/** A case of an operation without a fault. */
const sound = "unsubscribe/other_user_by_id";

function memo<Result>(create: () => Promise<Result>): () => Promise<Result> {
  let created: Promise<Result> | undefined;
  return () => {
    created ??= create();
    return created;
  };
}
