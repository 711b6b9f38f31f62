import { shippedDocument } from "../contract/rest/rest-contract.js";
import type { Listening, ListenOptions } from "../listen.js";
import { createRestMock } from "./rest/create-rest-mock.js";

/** Serves the chat API like `createRestMock`. */
export async function createChatMock(options: ListenOptions = {}): Promise<Listening> {
  return createRestMock(await shippedDocument("chat"), options);
}
