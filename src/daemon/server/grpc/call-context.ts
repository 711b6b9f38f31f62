import type { IncomingHttpHeaders } from "node:http2";
import type { ConnectError } from "@connectrpc/connect";
import type { CallContext } from "../daemon-handlers.js";

/** The context of a call, and the means to abort its signal. */
export interface AbortableContext extends CallContext {
  /** Aborts the signal, now or whenever the handler asks for it. */
  readonly abort: (reason: ConnectError) => void;
}

/** Makes the context of a call. Few handlers look at it, so its parts are made when they are asked for. */
export function createCallContext(headers: IncomingHttpHeaders): AbortableContext {
  let controller: AbortController | undefined;
  let requestHeader: Headers | undefined;
  let aborted: ConnectError | undefined;
  return {
    get signal() {
      if (controller === undefined) {
        controller = new AbortController();
        if (aborted !== undefined) controller.abort(aborted);
      }
      return controller.signal;
    },
    get requestHeader() {
      requestHeader ??= webHeaders(headers);
      return requestHeader;
    },
    abort: (reason) => {
      aborted ??= reason;
      controller?.abort(aborted);
    },
  };
}

function webHeaders(headers: IncomingHttpHeaders): Headers {
  const web = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(":") || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) web.append(name, one);
  }
  return web;
}
