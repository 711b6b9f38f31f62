import { AsyncLocalStorage } from "node:async_hooks";
import type { UniversalClientFn } from "@connectrpc/connect/protocol";
import { inspectedBody } from "./inspect-messages.js";

/** Details of an HTTP response that the reply or error of a call does not show. */
export interface HttpAnswer {
  readonly status: number;
  readonly header: Headers;
  /** The chunks of the body read so far, possibly compressed. Empty for status 200. */
  readonly body: readonly Uint8Array[];
}

const watchers = new AsyncLocalStorage<(answer: HttpAnswer) => void>();

/** Makes a call, and reports each of its HTTP responses as soon as the headers arrive. */
export function watchHttpAnswer<Result>(onAnswer: (answer: HttpAnswer) => void, call: () => Result): Result {
  return watchers.run(onAnswer, call);
}

/** Wraps an HTTP client so that `watchHttpAnswer` sees its responses, and `inspectMessages` their messages. */
export function observeHttpAnswers(client: UniversalClientFn): UniversalClientFn {
  return async (request) => {
    const onAnswer = watchers.getStore();
    const response = await client(request);
    if (onAnswer === undefined) return response;
    const { status, header } = response;
    const body: Uint8Array[] = [];
    onAnswer({ status, header, body });
    return { ...response, body: status === 200 ? inspectedBody(response.body, header) : kept(response.body, body) };
  };
}

async function* kept(body: AsyncIterable<Uint8Array>, chunks: Uint8Array[]): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    chunks.push(chunk);
    yield chunk;
  }
}
