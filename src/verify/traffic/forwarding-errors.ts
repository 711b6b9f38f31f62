import { SilenceError } from "./deadline.js";
import { maxHeaderBytes } from "./forwarder-limits.js";

/** The server sent a response that is not valid HTTP. The message continues a sentence whose subject is the server. */
export class MalformedAnswerError extends Error {
  override readonly name = "MalformedAnswerError";
}

/** The proxy forwards to itself, directly or through others. */
export class LoopError extends Error {
  override readonly name = "LoopError";
}

/** A fault of this package, which ends one exchange. */
export class ForwardingFault extends Error {
  override readonly name = "ForwardingFault";
}

/** Why a request could not be forwarded, or its response not be passed on. */
export interface ForwardingProblem {
  /** The status of the proxy's own response. */
  readonly status: 502 | 504;
  /** The problem and what to do about it. */
  readonly reason: string;
  /** The problem as a clause about the server, if its response is to blame. */
  readonly malformed?: string;
}

/** Describes why a request could not be forwarded. */
export function describeForwardingError(error: NodeJS.ErrnoException, origin: string): ForwardingProblem {
  if (error instanceof SilenceError) return { status: 504, reason: `${origin} does not answer: ${error.message}` };
  if (error instanceof ForwardingFault)
    return { status: 502, reason: `a fault of this package, not of ${origin}: ${error.message}` };
  const reason = reasonOf(error);
  return {
    status: 502,
    reason: `${origin} ${reason}`,
    ...(isMalformed(error) ? { malformed: `the server ${reason}` } : {}),
  };
}

/** A server that sends anything but HTTP/1.1 may speak another protocol, and one with larger headers only exceeds a limit of the proxy. */
function isMalformed(error: NodeJS.ErrnoException): boolean {
  const isUnparsed = /^HPE_(?!INVALID_CONSTANT$|HEADER_OVERFLOW$)/.test(error.code ?? "");
  return error instanceof MalformedAnswerError || isUnparsed;
}

/** Calls `fail` with the error that `step` throws: a `MalformedAnswerError` or `LoopError`, or else a `ForwardingFault`. */
export function attempt(step: () => void, fail: (error: Error) => void): void {
  try {
    step();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isExpected = error instanceof MalformedAnswerError || error instanceof LoopError;
    fail(isExpected ? error : new ForwardingFault(message));
  }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error instanceof MalformedAnswerError) return error.message;
  if (error instanceof LoopError) return "leads back to this proxy. Correct the URL that the proxy was given";
  const { code = "" } = error instanceof AggregateError ? ((error.errors[0] ?? error) as NodeJS.ErrnoException) : error;
  switch (code) {
    case "ECONNREFUSED":
      return "refuses connections. Start the server, or correct the URL that the proxy was given";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return "has a host name that does not resolve. Correct the URL that the proxy was given";
    case "ECONNRESET":
    case "EPIPE":
      return "closed the connection without a response. See the log of the server";
    case "ERR_HTTP2_ERROR":
      return "does not speak HTTP/2, as the client does. Correct the address, or use Connect or gRPC-Web over HTTP/1.1";
    default:
      if (code === "EPROTO" || code.startsWith("ERR_SSL_"))
        return "fails the TLS handshake. It may speak plain http there";
      if (code === "HPE_HEADER_OVERFLOW") return `sent larger headers than ${maxHeaderBytes} bytes`;
      if (code.startsWith("HPE_")) return `sent a malformed response (${code})`;
      return `cannot be reached: ${error.message || code}`;
  }
}
