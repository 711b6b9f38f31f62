import { describe, expect, it } from "vitest";
import { loadCases } from "../../../../src/contract/chat/cases.js";
import { prepareCase } from "../../../../src/verify/chat/dredd/prepare-case.js";
import { createStatesClient } from "../../../../src/verify/chat/states/states-client.js";
import { startStubChat } from "../stub-chat.js";

describe("prepareCase", () => {
  it.each([
    { key: "deactivateOwnUser/only_user", wants: "optional", status: 400, kind: "skipped" },
    { key: "unsubscribe/other_user_by_id", wants: "required", status: 400, kind: "errored" },
    { key: "unsubscribe/other_user_by_id", wants: "required", status: 501, kind: "skipped" },
  ])("counts a case as $kind if the server answers $status for its $wants provider state", async (row) => {
    const { key, status, kind } = row;
    const server = await startStubChat(
      () => ({ body: {} }),
      () => ({ status, body: { msg: "Unknown state" } }),
    );
    const testCase = (await loadCases()).find(({ operationId, name }) => `${operationId}/${name}` === key);
    if (testCase === undefined) throw new Error(`There is no case ${key}`);
    const states = createStatesClient(server.statesUrl, { timeoutMs: 300_000 });
    const prepared = await prepareCase({ testCase, headers: [] }, { apiUrl: `${server.url}/api/v1`, states });
    const reason = expect.stringContaining("Unknown state");
    expect(prepared).toMatchObject({ kind: "decided", result: { kind, reason } });
  });
});
