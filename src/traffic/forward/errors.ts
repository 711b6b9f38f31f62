import { StreamEndError } from "../../wire/http2-client.js";
import { Http2ViolationError } from "../../wire/http2-connection.js";
import { type ForwarderLimits, maxHeaderBytes, maxInterimResponses } from "./server-side.js";

/** Why an exchange was not forwarded, if the cause is not an error of a connection. */
export class ForwardingError extends Error {
  override readonly name = "ForwardingError";
  /**
   * `silent`: the server took too long. `malformed`: its response is not valid HTTP; the message continues a sentence about the server.
   * `loop`: the proxy forwards to itself. `fault`: this package failed.
   */
  constructor(
    readonly kind: "silent" | "malformed" | "loop" | "fault",
    message: string,
  ) {
    super(message);
  }
}

/** The error of a server that takes too long to accept a connection, or to send anything. */
export function silence(isConnecting: boolean, { maxConnectMs, maxSilenceMs }: ForwarderLimits): ForwardingError {
  const text = isConnecting
    ? `it did not accept the connection within ${maxConnectMs / 1000} seconds`
    : `it sent nothing for ${maxSilenceMs / 1000} seconds`;
  return new ForwardingError("silent", text);
}

/** Returns a function that counts the interim responses to a request, and returns an error once there are too many. */
export function countInterim(): () => ForwardingError | undefined {
  let count = 0;
  return () => {
    count++;
    if (count <= maxInterimResponses) return undefined;
    return new ForwardingError("malformed", `sent more than ${maxInterimResponses} interim responses`);
  };
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

/** Describes why a request could not be forwarded to a server. */
export function describeForwardingError(error: NodeJS.ErrnoException, origin: string): ForwardingProblem {
  const kind = error instanceof ForwardingError ? error.kind : undefined;
  switch (kind) {
    case "silent":
      return { status: 504, reason: `${origin} does not answer: ${error.message}` };
    case "fault":
      return { status: 502, reason: `a fault of this package, not of ${origin}: ${error.message}` };
    case "loop":
      return { status: 502, reason: `${origin} leads back to this proxy. Correct the URL that the proxy was given` };
    case "malformed":
      return { status: 502, reason: `${origin} ${error.message}`, malformed: `the server ${error.message}` };
    case undefined: {
      if (error instanceof StreamEndError) return { status: 502, reason: `${origin} ${error.message}` };
      if (error instanceof Http2ViolationError)
        return { status: 502, reason: `${origin} ${error.message}`, malformed: `the server ${error.message}` };
      const reason = reasonOf(error);
      // A server that sends anything but HTTP/1.1 may speak another protocol, and larger headers only exceed a limit of the proxy.
      const isMalformed = /^HPE_(?!INVALID_CONSTANT$|HEADER_OVERFLOW$)/.test(error.code ?? "");
      return {
        status: 502,
        reason: `${origin} ${reason}`,
        ...(isMalformed ? { malformed: `the server ${reason}` } : {}),
      };
    }
  }
}

/** Calls `fail` with the error that `step` throws, which is a fault of this package unless it is a `ForwardingError`. */
export function attempt(step: () => void, fail: (error: Error) => void): void {
  try {
    step();
  } catch (error) {
    fail(error instanceof ForwardingError ? error : new ForwardingError("fault", (error as Error).message));
  }
}

function reasonOf(error: NodeJS.ErrnoException): string {
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
