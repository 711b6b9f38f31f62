import { createFetchHandler as fetchHandlerOf } from "../../runtime/rest/server/fetch-handler.js";
import { type ChatServerOptions, createChatService } from "./create-chat-service.js";

<<<<<<< HEAD
/** Creates a web-standard handler, `(Request) => Promise<Response>`, that serves an implementation of the chat service. */
=======
/** How long a client may pause while the rest of a refused request is discarded. */
export const maxIdleMs = 1_000;

/**
 * Creates a web-standard handler, `(Request) => Promise<Response>`, that serves an implementation of the chat service.
 *
 * Before it responds to a refused request, it reads and discards the rest of the body, up to 128 MiB, 30 seconds, and one second
 * without data: hosts close the connection after the response, and a client that is still sending would never receive it. It discards
 * nothing of a request with `Expect: 100-continue`.
 */
>>>>>>> main
export function createFetchHandler<Caller extends object>(
  options: ChatServerOptions<Caller>,
): (request: Request) => Promise<Response> {
  return fetchHandlerOf(createChatService(options));
}
