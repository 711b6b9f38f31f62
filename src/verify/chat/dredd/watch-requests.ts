import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { maxAnswerBytes, tooLarge } from "../../answer-limits.js";
import { isCall } from "../exchange/call-http.js";

/** Limits the requests of Dredd, which limits neither time nor size, and records why they fail, which Dredd does not report. */
export interface RequestWatch {
  /** Starts the time limit of the next request. */
  readonly begin: (timeoutMs: number) => void;
  /** Why the last request failed. */
  readonly failure: () => string | undefined;
  /** Why the last response is wrong: it was too large to read. */
  readonly fault: () => string | undefined;
}

/** The state of one watch. */
interface Watched {
  limit: { readonly ms: number; readonly ends: number };
  failure: string | undefined;
  fault: string | undefined;
}

/** Distinguishes the requests of concurrent instances of Dredd. Without it, all requests of the process belong together. */
const current = new AsyncLocalStorage<{ watched?: Watched }>();
const others: { watched?: Watched } = {};
let isSubscribed = false;

/** Calls `work`, whose requests are watched separately from all others of this process. */
export function withOwnRequests<Result>(work: () => Result): Result {
  return current.run({}, work);
}

/** Watches the requests of Dredd in this process, or in the caller of `withOwnRequests`, and gives each its own connection. */
export function watchRequests(): RequestWatch {
  if (!isSubscribed) subscribeToRequests();
  isSubscribed = true;
  const watched: Watched = { limit: { ms: 0, ends: 0 }, failure: undefined, fault: undefined };
  (current.getStore() ?? others).watched = watched;
  return {
    begin: (ms) => {
      Object.assign(watched, {
        limit: { ms: Math.round(ms), ends: performance.now() + ms },
        failure: undefined,
        fault: undefined,
      });
    },
    failure: () => watched.failure,
    fault: () => watched.fault,
  };
}

function subscribeToRequests(): void {
  // The server may close an idle connection just as it is reused.
  http.globalAgent = new http.Agent({ keepAlive: false });
  https.globalAgent = new https.Agent({ keepAlive: false });
  subscribe("http.client.request.start", (message) => {
    const { request } = message as { readonly request: ClientRequest };
    const { watched } = current.getStore() ?? others;
    if (watched === undefined || isCall(request)) return;
    const { limit } = watched;
    const end = () => request.destroy(new Error(`no answer within ${limit.ms} ms`));
    const timer = setTimeout(end, Math.max(limit.ends - performance.now(), 1));
    request.prependOnceListener("response", (response: IncomingMessage) =>
      boundBody(response, () => {
        watched.fault = tooLarge(maxAnswerBytes);
        request.destroy(new Error(watched.fault));
      }),
    );
    request.once("error", (error) => {
      watched.failure ??= error.message;
    });
    request.once("close", () => clearTimeout(timer));
  });
}

/** Counts the bytes of a body in `push`, because a `data` listener would take them away from Dredd. */
function boundBody(response: IncomingMessage, onTooLarge: () => void): void {
  const push = response.push.bind(response);
  let length = 0;
  response.push = (piece: Buffer | null, encoding?: BufferEncoding) => {
    length += piece?.length ?? 0;
    if (length <= maxAnswerBytes) return push(piece, encoding);
    if (!response.destroyed) onTooLarge();
    return false;
  };
}
