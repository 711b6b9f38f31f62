import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { JsonValue } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { codeFromString, codeToString } from "@connectrpc/connect/protocol-connect";
import type { DaemonProtocol } from "../../daemon/create-daemon-client.js";
import type { HttpAnswer } from "../../daemon/watch-http-answer.js";
import { tooLarge } from "../answer-limits.js";
import { redirectFault } from "../redirect-fault.js";
import type { Answer, ErrorDetail } from "./answer.js";
import { connectionFailure } from "./connection-failure.js";

/** What came of a call that failed with an error of the client. `http` is what the daemon answered; left out when nothing came. */
export function failureOfCall(reason: unknown, protocol: DaemonProtocol, http: HttpAnswer | undefined): Answer {
  const error = ConnectError.from(reason);
  const metadata = [...error.metadata];
  if (http === undefined) {
    const failure = connectionFailure(error, protocol);
    if (failure !== undefined) return { kind: "unreachable", ...failure };
  } else if (redirect(http) === undefined && isRpcError(error, protocol, http)) {
    const details = error.details.flatMap((detail) => ("desc" in detail ? [] : [detailOf(detail)]));
    return { kind: "error", code: codeToString(error.code), message: error.rawMessage, details, metadata };
  }
  return {
    kind: "malformed",
    text: redirect(http) ?? tooLong(error) ?? withoutCode(error, protocol, http) ?? error.rawMessage,
    metadata,
  };
}

function detailOf({ type, value, debug }: { type: string; value: Uint8Array; debug?: JsonValue }): ErrorDetail {
  return { type, value, ...(debug === undefined ? {} : { debug: JSON.stringify(debug) }) };
}

/**
 * The client makes an error of every failure. One that the daemon has sent has the status that its protocol demands: `grpc-status`
 * among headers and trailers, or on Connect a body with a code.
 */
function isRpcError({ code, metadata }: ConnectError, protocol: DaemonProtocol, http: HttpAnswer): boolean {
  if (Code[code] === undefined) return false;
  if (protocol === "connect") return isReadFromJson(metadata) && isErrorOfConnect(http);
  // Some servers repeat the status of the trailers in the headers.
  return /^(?:[1-9]|1[0-6])(?:,|$)/.test(metadata.get("grpc-status") ?? "");
}

/** When the client of Connect finds no error in a body, it has the headers twice, or not at all. */
function isReadFromJson(metadata: Headers): boolean {
  return /^application\/json(?:;[^,]*)?$/i.test(metadata.get("content-type") ?? "");
}

/** Whether an answer is an error of a unary call. Source: https://connectrpc.com/docs/protocol, "Unary-Response" and "Error codes". */
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

/** The encodings that the client accepts. It has decompressed the same bytes, so they are not too many. */
function decompressed(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "gzip") return gunzipSync(bytes);
  return encoding === "br" ? brotliDecompressSync(bytes) : bytes;
}

/** A redirect is never followed. The daemon may be at a socket, of which no origin is known: a target without a host is its own. */
function redirect(http: HttpAnswer | undefined): string | undefined {
  return http && redirectFault({ status: http.status, location: http.header.get("location") }, "http://localhost");
}

/** The client says it in terms of its own options. */
function tooLong({ code, rawMessage }: ConnectError): string | undefined {
  const [, most] = /larger than configured readMaxBytes (\d+)/.exec(rawMessage) ?? [];
  return code === Code.ResourceExhausted && most !== undefined ? tooLarge(Number(most)) : undefined;
}

/** The client makes up the code of an error that has none. */
function withoutCode(
  { rawMessage, metadata }: ConnectError,
  protocol: DaemonProtocol,
  http: HttpAnswer | undefined,
): string | undefined {
  if (protocol !== "connect" || http === undefined || http.status === 200 || !isReadFromJson(metadata))
    return undefined;
  return `HTTP ${http.status} with an error that has no code of Connect: ${JSON.stringify(rawMessage)}`;
}
