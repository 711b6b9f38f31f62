import { subscribe } from "node:diagnostics_channel";
import http, { type ClientRequest } from "node:http";
import https from "node:https";

/** No answer of this API is larger. */
const mostBytes = 64 * 1024 * 1024;

/** Watches the requests of Dredd, which limits neither time nor size, and keeps to itself why one has failed. */
export interface RequestWatch {
  /** From now on, a request is ended when it is not done within so many milliseconds. */
  readonly begin: (timeoutMs: number) => void;
  /** Why the last request has failed. */
  readonly failure: () => string | undefined;
}

/** Watches every request that this process makes with `node:http`, and has each use a connection of its own. */
export function watchRequests(): RequestWatch {
  // A connection that is kept may be closed by the server just when it is used again.
  http.globalAgent = new http.Agent({ keepAlive: false });
  https.globalAgent = new https.Agent({ keepAlive: false });
  let failure: string | undefined;
  let limit = { ms: 0, ends: 0 };
  subscribe("http.client.request.start", (message) => {
    const { request } = message as { readonly request: ClientRequest };
    const end = () => request.destroy(new Error(`no answer within ${limit.ms} ms`));
    const timer = setTimeout(end, Math.max(limit.ends - performance.now(), 1));
    // Whoever listened to the body would take it away from Dredd.
    const look = setInterval(() => {
      if ((request.socket?.bytesRead ?? 0) <= mostBytes) return;
      failure = `the answer is larger than ${mostBytes} bytes`;
      request.destroy(new Error(failure));
    }, 100);
    request.once("error", (error) => {
      failure ??= error.message;
    });
    request.once("close", () => {
      clearTimeout(timer);
      clearInterval(look);
    });
  });
  return {
    begin: (ms) => {
      failure = undefined;
      limit = { ms: Math.round(ms), ends: performance.now() + ms };
    },
    failure: () => failure,
  };
}
