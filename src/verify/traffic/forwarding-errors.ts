import { SilenceError } from "./deadline.js";

/** Describes why a request could not be forwarded: the status of the proxy's response, and the reason with what to do about it. */
export function describeForwardingError(
  error: NodeJS.ErrnoException,
  origin: string,
): { readonly status: 502 | 504; readonly reason: string } {
  if (error instanceof SilenceError) return { status: 504, reason: `${origin} does not answer: ${error.message}` };
  return { status: 502, reason: `${origin} ${reasonOf(error)}` };
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
      if (code.startsWith("HPE_")) return `sent a malformed response (${code})`;
      return `cannot be reached: ${error.message || code}`;
  }
}
