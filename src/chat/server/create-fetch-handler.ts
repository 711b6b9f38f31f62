import { type ChatServerOptions, createChatService } from "./create-chat-service.js";

/** Makes a web-standard handler, `(Request) => Promise<Response>`, of an implementation of the chat service. */
export function createFetchHandler<Caller extends object>(
  options: ChatServerOptions<Caller>,
): (request: Request) => Promise<Response> {
  const serve = createChatService(options);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const { status, headers, body } = await serve({
      method: request.method,
      target: pathname + search,
      header: (name) => request.headers.get(name) ?? undefined,
      body: bodyOf(request),
    });
    return new Response(body === "" ? null : body, { status, headers });
  };
}

/** A stream that cannot be read is one whose client is gone. It is touched only when it is read. */
async function* bodyOf(request: Request): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (reader === undefined) return;
  for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
}
