import {
  type CallLimits,
  callHttp,
  DroppedError,
  type HttpCall,
  isSafe,
  UnreadableAnswerError,
} from "../http/call-http.js";
import { gatewayStatuses } from "../http/send-request.js";
import { maxLookMs, type ServerState } from "../run/server-watch.js";

/** How long the response to a request took at most that is sent again to find out whether the server responds. */
const maxQuickMs = 1_000;

/**
 * Looks at what a server does, by a request for a path that no API has: it can do no harm. If it gets no response, the last request decides that
 * changes nothing and got one.
 */
export interface ServerLook {
  readonly look: () => Promise<ServerState>;
  /** Whether a request for a path that no API has gets any response. */
  readonly isAnswering: () => Promise<boolean>;
  /** Notes a request that got a response, and how long that took. */
  readonly noteAnswer: (request: Omit<HttpCall, "body"> & { readonly body?: unknown }, tookMs: number) => void;
}

/** Creates a look. `nowhere` is the URL of a path that no API has, and `headers` are those of every request of the run. */
export function createServerLook(
  nowhere: string,
  {
    timeoutMs,
    headers,
    signal,
    pace,
  }: Pick<CallLimits, "timeoutMs" | "pace"> & Pick<HttpCall, "headers"> & { readonly signal: AbortSignal },
): ServerLook {
  let known: HttpCall | undefined;
  const limits = { timeoutMs: Math.min(timeoutMs, maxLookMs), signal, pace };
  const anywhere = { method: "GET", url: nowhere, headers };
  async function ask(call: HttpCall): Promise<ServerState | "dropped"> {
    try {
      const { status } = await callHttp(call, limits);
      if (status === 429) return "busy";
      return gatewayStatuses.has(status) ? "gateway" : "up";
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Error && error.name === "TimeoutError") return "hanging";
      if (error instanceof DroppedError) return "dropped";
      return error instanceof UnreadableAnswerError ? "up" : "away";
    }
  }

  return {
    isAnswering: async () => !["dropped", "hanging", "away"].includes(await ask(anywhere)),
    noteAnswer: ({ method, url, headers, body }, tookMs) => {
      if (isSafe(method) && tookMs <= maxQuickMs && body === undefined) known = { method, url, headers };
    },
    look: async () => {
      const state = await ask(anywhere);
      // Some servers close the connection of any path that they do not know, or never respond to it.
      const isOpen = state !== "up" && state !== "away";
      const again = isOpen && known !== undefined ? await ask(known) : state;
      return again === "dropped" ? (known === undefined ? "up" : "away") : again;
    },
  };
}
