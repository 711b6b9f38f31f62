import { afterAll } from "vitest";
import {
  type ChatReference,
  type ChatReferenceOptions,
  createChatReference,
} from "../../reference/chat/create-chat-reference.js";

/** Starts a reference server with provider states for the tests of a file, and closes it after them. */
export async function chatServer(options: ChatReferenceOptions = {}): Promise<ChatReference> {
  const server = await createChatReference({ states: true, validateResponses: true, ...options });
  afterAll(server.close);
  return server;
}
