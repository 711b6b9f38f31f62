import { usualLingerLimits } from "../../http/early-answers.js";
import { type ChatServerOptions, createChatService } from "./create-chat-service.js";

/** How long a client that still sends a refused request may pause. */
const maxIdleMs = 1_000;

/**
 * Makes a web-standard handler, `(Request) => Promise<Response>`, of an implementation of the chat service.
 *
 * What a refused request still sends is read and dropped before the response is given, up to 128 MiB, 30 seconds, and a second
 * without data: hosts close the connection with the response, and a client that is still sending would lose it. With
 * `Expect: 100-continue` nothing is read.
 */
export function createFetchHandler<Caller extends object>(
  options: ChatServerOptions<Caller>,
): (request: Request) => Promise<Response> {
  const serve = createChatService(options);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = openBody(request);
    const answer = await serve({
      method: request.method,
      target: pathname + search,
      header: (name) => request.headers.get(name) ?? undefined,
      body: body.pieces(),
    });
    if (!request.headers.has("expect")) await body.drop();
    return new Response(answer.body === "" ? null : answer.body, { status: answer.status, headers: answer.headers });
  };
}

/** The body of a request, touched only when it is read. A stream that cannot be read is one whose client is gone. */
function openBody(request: Request) {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let isDone = false;

  async function next(): Promise<Uint8Array | undefined> {
    reader ??= request.body?.getReader();
    const step = await reader?.read();
    isDone = step === undefined || step.done;
    return step?.value;
  }

  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let piece = await next(); piece !== undefined; piece = await next()) yield piece;
  }

  async function drop(): Promise<void> {
    const { maxBytes, maxMs } = usualLingerLimits;
    const startedAt = performance.now();
    let dropped = 0;
    const timer = setTimeout(() => void reader?.cancel().catch(() => {}), maxIdleMs);
    try {
      while (!isDone && dropped <= maxBytes && performance.now() - startedAt < maxMs) {
        dropped += (await next())?.length ?? 0;
        timer.refresh();
      }
      if (!isDone) await reader?.cancel();
    } catch {
      // The client is gone.
    } finally {
      clearTimeout(timer);
    }
  }

  return { pieces, drop };
}
