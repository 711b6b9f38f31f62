import { createFetchHandler as fetchHandlerOf } from "../../runtime/rest/server/fetch-handler.js";
import { type ChatServerOptions, createChatService } from "./create-chat-service.js";

/** Creates a web-standard handler, `(Request) => Promise<Response>`, that serves an implementation of the chat service. */
export function createFetchHandler<Caller extends object>(
  options: ChatServerOptions<Caller>,
): (request: Request) => Promise<Response> {
  return fetchHandlerOf(createChatService(options));
}
