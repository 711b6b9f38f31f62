import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type ChatServerOptions, createChatService } from "./create-chat-service.js";

/** Makes a web-standard handler, `(Request) => Promise<Response>`, of an implementation of the chat service. */
export function createFetchHandler<Caller>(
  options: ChatServerOptions<Caller>,
): (request: Request) => Promise<Response> {
  const serve = createChatService(options);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const { status, headers, body } = await serve({
      method: request.method,
      target: pathname + search,
      header: (name) => request.headers.get(name) ?? undefined,
      body: request.body === null ? Readable.from([]) : Readable.fromWeb(request.body as ReadableStream),
    });
    return new Response(body, { status, headers });
  };
}
