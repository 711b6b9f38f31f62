import { subscribe } from "node:diagnostics_channel";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { maxAnswerBytes, tooLarge } from "../../answer-limits.js";

/** Watches the requests of Dredd, which limits neither time nor size, and keeps to itself why one has failed. */
export interface RequestWatch {
  /** From now on, a request is ended when it is not done within so many milliseconds. */
  readonly begin: (timeoutMs: number) => void;
  /** Why the last request has failed. */
  readonly failure: () => string | undefined;
  /** What is wrong with the answer to the last request, when it was too large to be read. */
  readonly fault: () => string | undefined;
}

/** Watches every request that this process makes with `node:http`, and has each use a connection of its own. */
export function watchRequests(): RequestWatch {
  // A connection that is kept may be closed by the server just when it is used again.
  http.globalAgent = new http.Agent({ keepAlive: false });
  https.globalAgent = new https.Agent({ keepAlive: false });
  let failure: string | undefined;
  let fault: string | undefined;
  let limit = { ms: 0, ends: 0 };
  subscribe("http.client.request.start", (message) => {
    const { request } = message as { readonly request: ClientRequest };
    const end = () => request.destroy(new Error(`no answer within ${limit.ms} ms`));
    const timer = setTimeout(end, Math.max(limit.ends - performance.now(), 1));
    request.prependOnceListener("response", (response: IncomingMessage) =>
      boundBody(response, () => {
        fault = tooLarge(maxAnswerBytes);
        request.destroy(new Error(fault));
      }),
    );
    request.once("error", (error) => {
      failure ??= error.message;
    });
    request.once("close", () => clearTimeout(timer));
  });
  return {
    begin: (ms) => {
      [failure, fault] = [undefined, undefined];
      limit = { ms: Math.round(ms), ends: performance.now() + ms };
    },
    failure: () => failure,
    fault: () => fault,
  };
}

/** Counts what comes before Dredd gets it: whoever listened to the body would take it away from Dredd. */
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
