import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeFromString, codeToString } from "@connectrpc/connect/protocol-connect";
import { redirectFault } from "../../base/redirect-fault.js";
import { detailOf, type RpcAnswer } from "../../judge/rpc/answer.js";
import { tooLarge } from "../../wire/answer-limits.js";
import type { RpcProtocol } from "../../wire/rpc-transport.js";
import { UnexpectedTlsError } from "../../wire/tls-probe.js";
import type { HttpAnswer } from "../../wire/watch-http-answer.js";
import { isReset } from "../http/call-http.js";

/** Classifies the error that a client threw. `http` is the HTTP response of the server; undefined if there was none. */
export function failureOfCall(reason: unknown, protocol: RpcProtocol, http: HttpAnswer | undefined): RpcAnswer {
  const error = ConnectError.from(reason);
  const metadata = [...error.metadata];
  if (http === undefined) {
    const failure = connectionFailure(error, protocol);
    if (failure !== undefined) return { kind: "unreachable", ...failure };
  } else if (redirect(http) === undefined && isRpcError(error, protocol, http)) {
    const details = error.details.flatMap((detail) => ("desc" in detail ? [] : [detailOf(detail)]));
    return { kind: "error", code: codeToString(error.code), message: error.rawMessage, details, metadata };
  }
  const size = redirect(http) === undefined ? sizeFault(error) : undefined;
  if (size !== undefined && hasFrames(protocol, http)) return { kind: "too-large", text: size, metadata };
  return {
    kind: "malformed",
    text: redirect(http) ?? size ?? withoutCode(error, protocol, http) ?? error.rawMessage,
    metadata,
    ...(causesOf(error).some(isClosing) ? { isCut: true } : {}),
  };
}

/** Whether an error is that of a connection that the peer closed. */
function isClosing(error: unknown): boolean {
  return error instanceof Error && "code" in error && closingCodes.test(String(error.code));
}

const closingCodes = /^(?:ECONNRESET|EPIPE|ERR_HTTP2_STREAM_CANCEL)$/;

/**
 * Whether the server sent the error. The client throws an error for every failure, but only one from the server has the status that its
 * protocol requires: `grpc-status` in headers or trailers, or a body with a code in Connect.
 */
function isRpcError({ code, metadata }: ConnectError, protocol: RpcProtocol, http: HttpAnswer): boolean {
  if (Code[code] === undefined) return false;
  if (protocol === "connect") return isReadFromJson(metadata) && isErrorOfConnect(http);
  // Some servers repeat the status of the trailers in the headers.
  return /^(?:[1-9]|1[0-6])(?:,|$)/.test(metadata.get("grpc-status") ?? "");
}

/** Whether the Connect client read an error from JSON. If not, its metadata holds the headers twice, or not at all. */
function isReadFromJson(metadata: Headers): boolean {
  return /^application\/json(?:;[^,]*)?$/i.test(metadata.get("content-type") ?? "");
}

/** Whether a response is an error of a unary call. Source: https://connectrpc.com/docs/protocol, "Unary-Response" and "Error codes". */
function isErrorOfConnect({ status, header, body }: HttpAnswer): boolean {
  if (status === 200) return false;
  const sent = parsed(body, header.get("content-encoding") ?? "identity");
  if (typeof sent !== "object" || sent === null || !("code" in sent)) return false;
  return typeof sent.code === "string" && codeFromString(sent.code) !== undefined;
}

function parsed(body: readonly Uint8Array[], encoding: string): unknown {
  try {
    return JSON.parse(decompressed(Buffer.concat(body), encoding).toString());
  } catch {
    return undefined;
  }
}

/** Decompresses the encodings that the client accepts. The client has already bounded the size of the same bytes. */
function decompressed(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "gzip") return gunzipSync(bytes);
  return encoding === "br" ? brotliDecompressSync(bytes) : bytes;
}

/** Describes a redirect. A server at a socket has no origin, so a target without a host counts as its own. */
function redirect(http: HttpAnswer | undefined): string | undefined {
  return http && redirectFault({ status: http.status, location: http.header.get("location") }, "http://localhost");
}

/** Whether a response is what its protocol sends. The first bytes of anything else pass for the length of a message. */
function hasFrames(protocol: RpcProtocol, http: HttpAnswer | undefined): boolean {
  return (
    protocol === "connect" || http === undefined || /^application\/grpc/i.test(http.header.get("content-type") ?? "")
  );
}

/** Describes a response that is too large. The message of the client names one of its options instead. */
function sizeFault({ code, rawMessage }: ConnectError): string | undefined {
  const [, maxBytes] = /larger than configured readMaxBytes (\d+)/.exec(rawMessage) ?? [];
  return code === Code.ResourceExhausted && maxBytes !== undefined ? tooLarge(Number(maxBytes)) : undefined;
}

/** Describes a Connect error without a code, for which the client invents one. */
function withoutCode(
  { rawMessage, metadata }: ConnectError,
  protocol: RpcProtocol,
  http: HttpAnswer | undefined,
): string | undefined {
  if (protocol !== "connect" || http === undefined || http.status === 200 || !isReadFromJson(metadata))
    return undefined;
  return `HTTP ${http.status} with an error that has no code of Connect: ${JSON.stringify(rawMessage)}`;
}

/** Why there was no HTTP response. */
export interface ConnectionFailure {
  /** One line. */
  readonly text: string;
  /** What to do about it. */
  readonly help: string;
  /** Whether the connection was made, and ended before any response. Defaults to false. */
  readonly isDropped?: true;
  /** Whether it ended before the server had read all that was sent. Defaults to false. */
  readonly isUnread?: true;
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
 * Explains why a call got no HTTP response. Undefined if the peer speaks the right version of HTTP and ended the call itself, which
 * counts as a response.
 */
export function connectionFailure(error: ConnectError, protocol: RpcProtocol): ConnectionFailure | undefined {
  const codes = systemErrors(error);
  const has = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  if (codes.some((code) => absent.has(code))) {
    return { text: oneLine(error.rawMessage), help: "Start the server, or correct its address" };
  }
  if (has(/NO_APPLICATION_PROTOCOL|^ERR_HTTP2_ERROR$/)) {
    const help = "Correct the address, or choose --protocol connect or grpc-web, which use HTTP/1.1";
    return { text: "the server there does not speak HTTP/2", help };
  }
  if (has(/^HPE_/)) {
    const help = "Correct the address, or choose --protocol grpc, which uses HTTP/2";
    return { text: "the server there does not speak HTTP/1.1", help };
  }
  if (has(/CERT|^UNABLE_TO_|^INVALID_|^HOSTNAME_MISMATCH$/)) {
    const help = "Name the file with the certificate of its authority in the environment variable NODE_EXTRA_CA_CERTS";
    return { text: `its certificate is not accepted: ${oneLine(error.rawMessage)}`, help };
  }
  if (causesOf(error).some((cause) => cause instanceof UnexpectedTlsError)) {
    return { text: "the server there speaks TLS", help: "Write https:// instead of http://" };
  }
  if (has(/^(?:EPROTO|ERR_SSL_.*|ERR_TLS_.*)$/)) {
    const help = "Correct the address, or write http:// if the server does not speak TLS";
    return { text: "no TLS connection can be made", help };
  }
  if (has(closingCodes)) {
    const http = protocol === "grpc" ? "HTTP/2" : "HTTP/1.1";
    const help = `Check that the server still runs and speaks ${http}, and whether its address needs http:// or https://`;
    const isUnread = causesOf(error).some(isReset);
    return { text: "it ended the connection before it answered", help, isDropped: true, ...(isUnread && { isUnread }) };
  }
  return undefined;
}

/** An error and its causes. */
function causesOf(reason: unknown): Error[] {
  const causes: Error[] = [];
  let error = reason;
  for (let depth = 0; depth < 8 && error instanceof Error; depth++) {
    causes.push(error);
    error = error.cause;
  }
  return causes;
}

/** The codes of the system errors that caused an error. */
function systemErrors(reason: unknown): string[] {
  return causesOf(reason).flatMap((error) => ("code" in error && typeof error.code === "string" ? error.code : []));
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ");
}
