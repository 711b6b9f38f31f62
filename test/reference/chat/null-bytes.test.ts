import { expect, it } from "vitest";
import { createChatReference } from "../../../reference/chat/create-chat-reference.js";
import { wrongAnswersToNullBytes } from "./null-byte-calls.js";

it("refuses a null byte in every text with BAD_REQUEST, and names the parameter", async () => {
  const server = await createChatReference({ states: true, validateResponses: true });
  try {
    expect(await wrongAnswersToNullBytes(server)).toEqual([]);
  } finally {
    await server.close();
  }
});
