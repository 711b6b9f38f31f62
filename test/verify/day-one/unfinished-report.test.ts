import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createChatReference } from "../../../reference/chat/create-chat-reference.js";
import { listen } from "../../../src/base/listen.js";
import { chatContract } from "../../../src/chat/contract.js";
import { verifyRest } from "../../../src/verify/rest/verify-rest.js";
import { formatSummary, toJsonReport } from "../../../src/verify.js";
import { missingInWays, startUnfinishedServer } from "./unfinished-server.js";

const usual = { level: 415, seed: 1, jobs: 2, timeoutMs: 300_000 };

describe("the report on an unfinished server", () => {
  it("begins with what is there and ends with what to do next", async () => {
    const has = (_: string, path: string) => path === "/api/v1/default_streams";
    const server = await startUnfinishedServer(has, missingInWays["501"] ?? (() => {}));
    const text = formatSummary(await verifyRest(await chatContract(), { ...usual, ...server }), { columns: 80 });
    expect(text.split("\n").slice(0, 4)).toEqual([
      "operations              state            kept  exercised  rules  call",
      "addDefaultChannel       partial             5          5      7  POST /default_…",
      "removeDefaultChannel    partial             4          4      5  DELETE /defaul…",
      "deleteAttachment        not implemented     -          -      6  DELETE /attach…",
    ]);
    expect(text).toContain("\n23 not implemented: status 501\n\nrules ");
    expect(text).toMatch(
      /\nwhat to do next\n {2}implement getServerSettings: \d+ checks, and 1 with other operations\n/,
    );
    expect(text).toMatch(/\nFAIL {2}23 of 25 operations are not implemented; no rule is broken\.\n$/);
    expect(text).not.toContain("curl");
    expect(text.split("\n").length).toBeLessThan(100);
  });

  it("says first to give --states if most checks need them", async () => {
    const { url } = await startUnfinishedServer(
      () => true,
      () => {},
    );
    const report = toJsonReport(await verifyRest(await chatContract(), { ...usual, url, only: ["muteUser"] }));
    expect(report.needs?.[0]).toMatchObject({ need: { kind: "states" }, operations: ["muteUser"] });
    expect(report.needs?.[0]?.help).toContain('To POST /states with {"state":"organization"');
  });

  it("skips only the checks that need a value that a state lacks, and shows what it returns once", async () => {
    const whole = await createChatReference({ states: true });
    onTestFinished(whole.close);
    const states = await listen(
      createServer(async (request, response) => {
        const asked = (await json(request)) as { readonly state: string };
        const headers = { "Content-Type": "application/json" };
        const answer = await fetch(whole.statesUrl ?? "", { method: "POST", headers, body: JSON.stringify(asked) });
        const { user_group_id, ...values } = (await answer.json()) as Record<string, unknown>;
        const left = asked.state === "user-group" ? values : { ...values, user_group_id };
        response.writeHead(answer.status, headers).end(JSON.stringify(left));
      }),
    );
    onTestFinished(states.close);
    const url = `${whole.url}/api/v1`;
    const report = await verifyRest(await chatContract(), {
      ...usual,
      url,
      statesUrl: states.url,
      operations: ["deactivateUserGroup"],
    });
    const { checks, needs = [] } = toJsonReport(report);
    const lacking = checks.filter(({ need }) => need?.kind === "state");
    expect(lacking.length).toBeGreaterThan(0);
    for (const { outcome, reason } of lacking)
      expect([outcome, reason]).toEqual(["skipped", expect.stringMatching(/the answer has no user_group_id$/)]);
    expect(checks.filter(({ verdict }) => verdict === "passed").length).toBeGreaterThan(0);
    expect(checks.filter(({ verdict }) => verdict === "errored" || verdict === "failed")).toEqual([]);
    expect(needs.map(({ need }) => need)).toEqual([{ kind: "state", state: "user-group", value: "user_group_id" }]);
    expect(formatSummary(report).match(/"user_group_id": <integer>/g)).toHaveLength(1);
  });

  it.each(["case editMessage/change_all", "case addDefaultChannel/by_guest"])(
    "says that the operation of %s is not implemented if only that check is selected",
    async (id) => {
      const server = await startUnfinishedServer(() => false, missingInWays["501"] ?? (() => {}));
      const report = toJsonReport(await verifyRest(await chatContract(), { ...usual, ...server, only: [id] }));
      const [, operation] = /^case (\w+)/.exec(id) ?? [];
      expect(report.checks.map((check) => [check.id, check.verdict])).toEqual([
        [id, "skipped"],
        [`operation ${operation}`, "failed"],
      ]);
      expect([report.exitCode, report.verdict]).toEqual([
        1,
        { word: "FAIL", sentence: "1 of 1 operation is not implemented; no rule is broken." },
      ]);
    },
  );

  it("names the checks that call more than the selected operations", async () => {
    const { url, statesUrl } = await startUnfinishedServer(
      () => true,
      () => {},
    );
    const operations = ["POST /users/me/muted_users/{muted_user_id}"];
    const report = await verifyRest(await chatContract(), { ...usual, url, statesUrl, operations });
    expect(report.checks.map(({ id }) => id)).toContain("operation muteUser");
    expect(report.beyond?.operations).toContain("getMessages");
    expect(formatSummary(report)).toMatch(/\n\d+ more checks? also calls? .*getMessages/);
  });
});
