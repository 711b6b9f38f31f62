import type { Listening } from "../base/listen.js";
import { shippedDocument } from "../contract/rest/rest-contract.js";
import { createRestMock, type RestMockOptions } from "../mock/rest/create-rest-mock.js";

/** Serves the chat API like `createRestMock`. */
export async function createChatMock(options: RestMockOptions = {}): Promise<Listening> {
  return createRestMock(await shippedDocument("chat"), options);
}
