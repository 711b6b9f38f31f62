import { type CallLimits, callHttp, DroppedError, type HttpCall, UnreadableAnswerError } from "../http/call-http.js";
import { gatewayStatuses, isSafe } from "../http/send-request.js";
import type { ServerState } from "../run/server-watch.js";

/** How long a server may take to answer, in milliseconds, so that it counts as responding. */
export const maxLookMs = 5_000;

/** How long the response to a request took at most that is sent again to find out whether the server responds. */
const maxQuickMs = 1_000;

/** Looks at what a server does, by the last request that changes nothing and got a response. */
export interface ServerLook {
  readonly look: () => Promise<ServerState>;
  /** Notes a request that got a response, and how long that took. */
  readonly noteAnswer: (request: Omit<HttpCall, "body"> & { readonly body?: unknown }, tookMs: number) => void;
}

/** Creates a look. Until a request got a response, it asks for `fallback`, a URL. */
export function createServerLook(
  fallback: string,
  { timeoutMs, signal, pace }: Pick<CallLimits, "timeoutMs" | "pace"> & { readonly signal: AbortSignal },
): ServerLook {
  let known: HttpCall | undefined;
  return {
    noteAnswer: ({ method, url, headers, body }, tookMs) => {
      if (isSafe(method) && tookMs <= maxQuickMs && body === undefined) known = { method, url, headers };
    },
    look: async () => {
      const request = known ?? { method: "GET", url: fallback, headers: {} };
      try {
        const { status } = await callHttp(request, { timeoutMs: Math.min(timeoutMs, maxLookMs), signal, pace });
        if (status === 429) return "busy";
        return gatewayStatuses.has(status) ? "gateway" : "up";
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Error && error.name === "TimeoutError") return "hanging";
        // Some servers close the connection of any path that they do not know.
        if (error instanceof DroppedError) return known === undefined ? "up" : "away";
        return error instanceof UnreadableAnswerError ? "up" : "away";
      }
    },
  };
}
