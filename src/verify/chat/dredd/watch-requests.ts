import { subscribe } from "node:diagnostics_channel";
import type { ClientRequest } from "node:http";

/** Watches the requests of Dredd, which has no time limit, and keeps to itself why one has failed. */
export interface RequestWatch {
  /** From now on, a request is ended when it is not done within so many milliseconds. */
  readonly begin: (timeoutMs: number) => void;
  /** Why the last request has failed. */
  readonly failure: () => string | undefined;
}

/** Watches every request that this process makes with `node:http`. */
export function watchRequests(): RequestWatch {
  let failure: string | undefined;
  let limit = { ms: 0, ends: 0 };
  subscribe("http.client.request.start", (message) => {
    const { request } = message as { readonly request: ClientRequest };
    const end = () => request.destroy(new Error(`no answer within ${limit.ms} ms`));
    const timer = setTimeout(end, Math.max(limit.ends - performance.now(), 1));
    request.once("error", (error) => {
      failure = error.message;
    });
    request.once("close", () => clearTimeout(timer));
  });
  return {
    begin: (ms) => {
      failure = undefined;
      limit = { ms: Math.round(ms), ends: performance.now() + ms };
    },
    failure: () => failure,
  };
}
