import { Code, type ConnectError, createContextValues } from "@connectrpc/connect";
import type { UniversalHandlerFn, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import * as connect from "@connectrpc/connect/protocol-connect";
import * as grpc from "@connectrpc/connect/protocol-grpc";
import * as grpcWeb from "@connectrpc/connect/protocol-grpc-web";
import type { DaemonProtocol } from "../../create-daemon-client.js";
import { canceled, deadlineExceeded, internal, refusal } from "../calls/call-errors.js";
import type { CallReports } from "../calls/daemon-call.js";
import { type CallProgress, callProgress, type Rpc } from "../calls/rpc.js";
import { errorResponse, readResponse, withLongReply } from "./responses.js";

/** Maximum delay of a timer, which is 24 days. Longer timers fire at once, so longer timeouts are ignored. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Wraps Connect's handler of an RPC. Reports calls, and gives errors that occur before the handler or after its reply a fixed message,
 * because Connect quotes the data that it cannot parse.
 */
export function superviseCalls(handle: UniversalHandlerFn, rpc: Rpc, reports: CallReports): UniversalHandlerFn {
  return async (request) => {
    const contentType = request.header.get("content-type") ?? "";
    const protocol = callProtocol(contentType);
    if (protocol === undefined || request.method !== "POST") return handle(request);
    const endCall = reports.begin(rpc.name, protocol);
    const fail = (error: ConnectError): UniversalServerResponse => {
      endCall(error.code);
      return errorResponse(protocol, contentType, error);
    };
    const { timeoutMs = 0, error } = parseTimeout(protocol, request.header);
    if (error !== undefined) return fail(refusal("bad-timeout", rpc.requestName));
    const header = timeoutMs > maxTimerMs ? without(request.header, timeoutHeaders[protocol]) : request.header;

    const progress: CallProgress = { longRepliesIn: messageFormat(protocol, contentType) };
    const contextValues = createContextValues().set(callProgress, progress);
    const raw = await handle({ ...request, header, contextValues });
    if (progress.outcome !== undefined && progress.outcome !== "replied") {
      endCall(progress.outcome.failed);
      return raw;
    }
    const { response, code } = await readResponse(protocol, raw);
    if (code === undefined) {
      endCall(undefined);
      const { longReply } = progress;
      return longReply === undefined ? response : withLongReply(protocol, header, response, longReply);
    }
    if (progress.outcome === undefined) return fail(unreadRequestError(request, code, rpc.requestName));
    reports.fault(new TypeError("The reply cannot be encoded"), rpc.name);
    return fail(internal());
  };
}

function unreadRequestError({ signal }: UniversalServerRequest, code: Code, requestName: string): ConnectError {
  if (signal.aborted) return canceled();
  switch (code) {
    case Code.Canceled:
      return canceled();
    case Code.DeadlineExceeded:
      return deadlineExceeded();
    case Code.ResourceExhausted:
      return refusal("too-large", requestName);
    case Code.Unimplemented:
      return refusal("not-supported", requestName);
    default:
      return refusal("not-valid", requestName);
  }
}

function without(header: Headers, name: string): Headers {
  const copy = new Headers(header);
  copy.delete(name);
  return copy;
}

/** The name of the timeout header in each protocol. */
export const timeoutHeaders: Readonly<Record<DaemonProtocol, string>> = {
  grpc: grpc.headerTimeout,
  "grpc-web": grpcWeb.headerTimeout,
  connect: connect.headerTimeout,
};

/** The protocol of a unary call. Undefined for other content types. */
export function callProtocol(contentType: string): DaemonProtocol | undefined {
  if (grpc.parseContentType(contentType) !== undefined) return "grpc";
  if (grpcWeb.parseContentType(contentType) !== undefined) return "grpc-web";
  if (connect.contentTypeUnaryRegExp.test(contentType)) return "connect";
  return undefined;
}

/** The format of the messages of a unary call. */
export function messageFormat(protocol: DaemonProtocol, contentType: string): "binary" | "json" {
  const parse = { grpc, "grpc-web": grpcWeb, connect }[protocol].parseContentType;
  return parse(contentType)?.binary === false ? "json" : "binary";
}

/** The timeout of a call. */
export function parseTimeout(protocol: DaemonProtocol, header: Headers): ReturnType<typeof grpc.parseTimeout> {
  const parse = protocol === "connect" ? connect.parseTimeout : grpc.parseTimeout;
  return parse(header.get(timeoutHeaders[protocol]), Number.MAX_SAFE_INTEGER);
}
