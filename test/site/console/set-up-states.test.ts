import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { type ChatReference, createChatReference } from "../../../reference/chat/create-chat-reference.js";
import { buildRequest } from "../../../site/components/console/build-request.js";
import { fillFromCase } from "../../../site/components/console/fields.js";
import { send } from "../../../site/components/console/send.js";
import { SetUpError, setUpStates } from "../../../site/components/console/set-up-states.js";
import { loadCases, loadContract } from "../../../src/chat/contract.js";
import { casesAtLevel } from "../../../src/contract/rest/level/cases-at-level.js";

const idle = new AbortController().signal;
let server: ChatReference;
beforeAll(async () => {
  server = await createChatReference({ states: true });
});
afterAll(() => server.close());

describe("setUpStates", () => {
  it("puts the reference server into the situation of a case, so that it answers as the case shows", async () => {
    // One case for each operation and status; test/reference/chat runs all cases.
    const cases = casesAtLevel(await loadContract(), newestLevel).filter(({ open }) => open === undefined);
    const shown = new Map(cases.map((one) => [`${one.operationId} ${one.response.status}`, one]));
    for (const one of shown.values()) {
      const { credentials, replaced } = await setUpStates(server.url, one, idle);
      const request = buildRequest(one.operationId, server.url, fillFromCase(one, replaced), credentials);
      const outcome = await send(request, idle);
      expect(outcome, `${one.operationId}/${one.name}`).toMatchObject({ kind: "answer", status: one.response.status });
    }
  });

  it("says that the server has no provider states", async () => {
    const plain = await createChatReference();
    const [one] = await loadCases();
    if (one === undefined) throw new Error("no case");
    const failure = await setUpStates(plain.url, one, idle).catch((error: unknown) => error);
    await plain.close();
    expect(failure).toBeInstanceOf(SetUpError);
    expect(String(failure)).toMatch(/answered 404 to the setup of .* Start the server with --states\./);
  });
});
