import { Code, type ConnectError } from "@connectrpc/connect";
import type { DaemonProtocol } from "../../daemon/create-daemon-client.js";

/** Why there was no HTTP answer. */
export interface ConnectionFailure {
  /** One line. */
  readonly text: string;
  /** What to do about it. */
  readonly help: string;
}

const absent: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOENT",
  "EACCES",
  "EPERM",
  "ENOTSOCK",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
]);

/**
 * What is wrong with a connection over which a call got no HTTP answer. Undefined when the peer speaks the right version of HTTP and
 * has ended the call itself: that is an answer, if no good one.
 */
export function connectionFailure(error: ConnectError, protocol: DaemonProtocol): ConnectionFailure | undefined {
  const codes = systemErrors(error);
  const has = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  if (codes.some((code) => absent.has(code))) {
    return { text: oneLine(error.rawMessage), help: "Start the daemon, or correct its address" };
  }
  if (has(/NO_APPLICATION_PROTOCOL|^ERR_HTTP2_ERROR$/)) {
    const help = "Correct the address, or choose --protocol connect or grpc-web, which are spoken over HTTP/1.1";
    return { text: "what listens there does not speak HTTP/2", help };
  }
  if (has(/^HPE_/)) {
    const help = "Correct the address, or choose --protocol grpc, which is spoken over HTTP/2";
    return { text: "what listens there does not speak HTTP/1.1", help };
  }
  if (has(/CERT|^UNABLE_TO_|^INVALID_|^HOSTNAME_MISMATCH$/)) {
    const help = "Name the file with the certificate of its authority in the environment variable NODE_EXTRA_CA_CERTS";
    return { text: `its certificate is not accepted: ${oneLine(error.rawMessage)}`, help };
  }
  if (has(/^(?:EPROTO|ERR_SSL_.*|ERR_TLS_.*)$/)) {
    const help = "Correct the address, or write http:// when the daemon does not speak TLS";
    return { text: "no TLS connection can be made", help };
  }
  if (error.code === Code.Canceled || has(/^(?:ECONNRESET|EPIPE|ERR_HTTP2_SESSION_ERROR|ERR_HTTP2_STREAM_CANCEL)$/)) {
    const http = protocol === "grpc" ? "HTTP/2" : "HTTP/1.1";
    const help = `See whether the daemon still runs and speaks ${http}, and whether its address needs http:// or https://`;
    return { text: "it ended the connection before it answered", help };
  }
  return undefined;
}

/** The codes of the errors of the system that led to an error. */
function systemErrors(reason: unknown): string[] {
  const codes: string[] = [];
  let error = reason;
  for (let depth = 0; depth < 8 && error instanceof Error; depth++) {
    if ("code" in error && typeof error.code === "string") codes.push(error.code);
    error = error.cause;
  }
  return codes;
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
