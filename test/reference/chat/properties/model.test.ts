import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { checkHistories } from "./model/histories.js";

let server: ChatReference;
beforeAll(async () => {
  server = await createChatReference({ states: true, validateResponses: true });
});
afterAll(() => server.close());

describe("random histories of an organization", () => {
  it("match the model", async () => {
    await checkHistories(server, 80);
    expect.hasAssertions();
  });
});
