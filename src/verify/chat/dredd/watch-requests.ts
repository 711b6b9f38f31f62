import { subscribe } from "node:diagnostics_channel";
import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { maxAnswerBytes, tooLarge } from "../../answer-limits.js";

/** Limits the requests of Dredd, which limits neither time nor size, and records why they fail, which Dredd does not report. */
export interface RequestWatch {
  /** Starts the time limit of the next request. */
  readonly begin: (timeoutMs: number) => void;
  /** Why the last request failed. */
  readonly failure: () => string | undefined;
  /** Why the last response is wrong: it was too large to read. */
  readonly fault: () => string | undefined;
}

/** Watches every request that this process makes with `node:http`, and gives each its own connection. */
export function watchRequests(): RequestWatch {
  // The server may close an idle connection just as it is reused.
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
