import { defaultLingerLimits } from "../../../http/early-answers.js";
import type { Service } from "./service.js";

/** How long a client may pause while the rest of a refused request is discarded. */
export const maxIdleMs = 1_000;

/**
 * Creates a web-standard handler, `(Request) => Promise<Response>`, that serves an API.
 *
 * Before it responds to a refused request, it reads and discards the rest of the body, up to 128 MiB, 30 seconds, and one second
 * without data: hosts close the connection after the response, and a client that is still sending would never receive it. It discards
 * nothing of a request with `Expect: 100-continue`.
 */
export function createFetchHandler(serve: Service): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = openBody(request);
    const answer = await serve({
      method: request.method,
      target: pathname + search,
      header: (name) => request.headers.get(name) ?? undefined,
      body: body.chunks(),
    });
    if (!request.headers.has("expect")) await body.drop();
    return new Response(answer.body === "" ? null : (answer.body as BodyInit), {
      status: answer.status,
      headers: answer.headers,
    });
  };
}

/** The body of a request, locked only when it is first read. Reading fails if the client has disconnected. */
function openBody(request: Request) {
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let isDone = false;

  async function next(): Promise<Uint8Array | undefined> {
    reader ??= request.body?.getReader();
    const step = await reader?.read();
    isDone = step === undefined || step.done;
    return step?.value;
  }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
  }

  async function drop(): Promise<void> {
    const { maxBytes, maxMs } = defaultLingerLimits;
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
      // The client has disconnected.
    } finally {
      clearTimeout(timer);
    }
  }

  return { chunks, drop };
}
