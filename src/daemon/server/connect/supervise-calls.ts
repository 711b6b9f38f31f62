import { Code, type ConnectError, createContextValues } from "@connectrpc/connect";
import type { UniversalHandlerFn, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { canceled, deadlineExceeded, internal, refusal } from "../calls/call-errors.js";
import type { CallReports } from "../calls/daemon-call.js";
import { type CallProgress, callProgress, type Rpc } from "../calls/rpc.js";
import { callProtocol, messageFormat, parseTimeout, timeoutHeaders } from "./call-protocol.js";
import { errorResponse, readResponse } from "./error-response.js";
import { withLongReply } from "./long-reply.js";

/** Longer timers fire at once. That is 24 days, so a longer time is as good as none. */
const longestTimer = 2 ** 31 - 1;

/**
 * Wraps Connect's handler of an RPC. Errors that arise before the RPC is reached, or after its reply, get a fixed text, because
 * Connect's own quote what they cannot read; and calls are reported.
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
    const header = timeoutMs > longestTimer ? without(request.header, timeoutHeaders[protocol]) : request.header;

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
    if (progress.outcome === undefined) return fail(whyUnread(request, code, rpc.requestName));
    reports.fault(new TypeError("The reply cannot be encoded"), rpc.name);
    return fail(internal());
  };
}

function whyUnread({ signal }: UniversalServerRequest, code: Code, requestName: string): ConnectError {
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
