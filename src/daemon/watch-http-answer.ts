import { AsyncLocalStorage } from "node:async_hooks";
import type { UniversalClientFn } from "@connectrpc/connect/protocol";

/** What of an HTTP answer does not show in the reply or the error of a call. */
export interface HttpAnswer {
  readonly status: number;
  readonly header: Headers;
  /** The body as it came, maybe compressed, as far as it was read. Of status 200 it is not kept. */
  readonly body: readonly Uint8Array[];
}

const watchers = new AsyncLocalStorage<(answer: HttpAnswer) => void>();

/** Makes a call, and tells of each HTTP answer that it gets, as soon as the headers are there. */
export function watchHttpAnswer<Result>(onAnswer: (answer: HttpAnswer) => void, call: () => Result): Result {
  return watchers.run(onAnswer, call);
}

/** Makes an HTTP client whose answers `watchHttpAnswer` sees. */
export function watchable(client: UniversalClientFn): UniversalClientFn {
  return async (request) => {
    const onAnswer = watchers.getStore();
    const response = await client(request);
    if (onAnswer === undefined) return response;
    const { status, header } = response;
    const body: Uint8Array[] = [];
    onAnswer({ status, header, body });
    return status === 200 ? response : { ...response, body: kept(response.body, body) };
  };
}

async function* kept(body: AsyncIterable<Uint8Array>, chunks: Uint8Array[]): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    chunks.push(chunk);
    yield chunk;
  }
}
