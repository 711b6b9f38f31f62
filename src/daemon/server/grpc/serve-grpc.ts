import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { Code, ConnectError } from "@connectrpc/connect";
import { parseTimeout } from "@connectrpc/connect/protocol-grpc";
import { canceled, deadlineExceeded, refusal } from "../calls/call-errors.js";
import type { CallReports } from "../calls/daemon-call.js";
import type { Rpc } from "../calls/rpc.js";
import type { CallContext } from "../daemon-handlers.js";
import type { TakeStream } from "../either-http.js";
import { prefixLength, readMessage, sendError, sendMessage } from "./framing.js";

/** Maximum delay of a timer, which is 24 days. Longer timers fire at once, so longer deadlines are ignored. */
const maxTimerMs = 2 ** 31 - 1;
const contentTypes = new Set(["application/grpc", "application/grpc+proto"]);

/**
 * Serves RPCs over gRPC (https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md) directly on HTTP/2 streams. Takes only plain
 * calls, and leaves compressed calls, calls from web pages and other message encodings to the next handler.
 */
export function createGrpcService(rpcs: readonly Rpc[], reports: CallReports): TakeStream {
  const byPath = new Map(rpcs.map((rpc) => [rpc.path, rpc]));
  return (stream, headers) => {
    const rpc = byPath.get(headers[":path"] ?? "");
    const contentType = headers["content-type"] ?? "";
    const encoding = headers["grpc-encoding"] ?? "identity";
    if (rpc === undefined || headers[":method"] !== "POST" || !contentTypes.has(contentType)) return false;
    if (encoding !== "identity" || headers.origin !== undefined) return false;
    serveCall(stream, headers, contentType, rpc, reports);
    return true;
  };
}

function serveCall(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  contentType: string,
  rpc: Rpc,
  reports: CallReports,
): void {
  const context = createCallContext(headers);
  const endCall = reports.begin(rpc.name, "grpc");
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  /** Ends the call. Has no effect after the first time. */
  function end(code: Code | undefined, send: () => void): void {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    try {
      if (!stream.destroyed && !stream.closed) send();
    } catch (error) {
      reports.fault(error, rpc.name);
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
    endCall(code);
  }

  const fail = (error: ConnectError) => end(error.code, () => sendError(stream, contentType, error));

  function abort(error: ConnectError): void {
    context.abort(error);
    fail(error);
  }

  function reply(framed: Uint8Array): void {
    // The first byte, the flag for "not compressed", is already 0.
    new DataView(framed.buffer, framed.byteOffset).setUint32(1, framed.length - prefixLength);
    end(undefined, () => sendMessage(stream, contentType, framed));
  }

  function answer(message: Uint8Array): void {
    try {
      const framed = rpc.answerBytes(message, context, prefixLength);
      if (framed instanceof Uint8Array) reply(framed);
      else framed.then(reply, fail);
    } catch (error) {
      fail(error as ConnectError);
    }
  }

  // An aborted stream also emits `close`, which handles it.
  stream.on("error", () => {});
  stream.once("close", () => {
    if (!ended) abort(canceled());
  });
  const { timeoutMs = Number.POSITIVE_INFINITY, error } = parseTimeout(
    headers["grpc-timeout"]?.toString() ?? null,
    Number.MAX_SAFE_INTEGER,
  );
  if (error !== undefined) fail(refusal("bad-timeout", rpc.requestName));
  else if (timeoutMs === 0) abort(deadlineExceeded());
  else if (timeoutMs <= maxTimerMs) timer = setTimeout(() => abort(deadlineExceeded()), timeoutMs);
  readMessage(stream, (message, kind) => {
    if (ended) return;
    if (message === undefined) fail(refusal(kind ?? "not-valid", rpc.requestName));
    else answer(message);
  });
}

/** The context of a call, with a function that aborts its signal. */
export interface AbortableContext extends CallContext {
  /** Aborts the signal, which may not have been created yet. */
  readonly abort: (reason: ConnectError) => void;
}

/** Creates the context of a call. Creates its parts lazily, because few handlers use them. */
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
