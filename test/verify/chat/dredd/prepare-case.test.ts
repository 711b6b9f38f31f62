import { describe, expect, it } from "vitest";
import { loadCases } from "../../../../src/contract/chat/cases.js";
import { prepareCase } from "../../../../src/verify/chat/dredd/prepare-case.js";
import { createStatesClient } from "../../../../src/verify/chat/states/states-client.js";
import { startStubChat } from "../stub-chat.js";

describe("prepareCase", () => {
  it.each([
    { key: "deactivateOwnUser/only_user", wants: "optional", kind: "skipped" },
    { key: "unsubscribe/other_user_by_id", wants: "required", kind: "errored" },
  ])("says $kind of a case whose $wants provider state the server lacks", async ({ key, kind }) => {
    const server = await startStubChat(
      () => ({ body: {} }),
      () => ({ status: 400, body: { msg: "Unknown state" } }),
    );
    const testCase = (await loadCases()).find(({ operationId, name }) => `${operationId}/${name}` === key);
    if (testCase === undefined) throw new Error(`There is no case ${key}`);
    const states = createStatesClient(server.statesUrl, { timeoutMs: 20_000 });
    const prepared = await prepareCase({ testCase, headers: [] }, { apiUrl: `${server.url}/api/v1`, states });
    const reason = expect.stringContaining("Unknown state");
    expect(prepared).toMatchObject({ kind: "decided", result: { kind, reason } });
  });
});
