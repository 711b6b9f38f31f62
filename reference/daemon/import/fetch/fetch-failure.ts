import type { SubscriptionFailure } from "../../../../src/daemon/daemon-error.js";

/** The reason why a fetch failed, without the URL. */
export type FetchReason =
  | { readonly kind: SubscriptionFailure }
  | { readonly kind: "http-status"; readonly status: number };

/** Thrown if a fetch fails for a known reason. `fetchSubscription` catches it and adds the URL. */
export class FetchFailure extends Error {
  readonly reason: FetchReason;

  constructor(reason: FetchReason | SubscriptionFailure) {
    super();
    this.reason = typeof reason === "string" ? { kind: reason } : reason;
  }
}

/** Error codes of Node: from the system, its HTTP parser (llhttp), TLS (OpenSSL) and zlib. */
const failures: ReadonlyMap<string, SubscriptionFailure> = new Map([
  ["ECONNREFUSED", "refused"],

  ["ENOTFOUND", "unresolved"],
  ["ENODATA", "unresolved"],
  ["ESERVFAIL", "unresolved"],

  ["EHOSTUNREACH", "unreachable"],
  ["ENETUNREACH", "unreachable"],
  ["EHOSTDOWN", "unreachable"],
  ["ENETDOWN", "unreachable"],
  ["EACCES", "unreachable"],
  ["EPERM", "unreachable"],
  ["EADDRNOTAVAIL", "unreachable"],
  ["ERR_SOCKET_BAD_PORT", "unreachable"],

  ["ETIMEDOUT", "timeout"],
  ["ESOCKETTIMEDOUT", "timeout"],
  ["ERR_SOCKET_CONNECTION_TIMEOUT", "timeout"],

  ["ECONNRESET", "connection-lost"],
  ["ECONNABORTED", "connection-lost"],
  ["EPIPE", "connection-lost"],
  ["ERR_STREAM_PREMATURE_CLOSE", "connection-lost"],
  ["HPE_INVALID_EOF_STATE", "connection-lost"],

  ["HPE_HEADER_OVERFLOW", "too-large"],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "too-large"],
  ["ERR_BUFFER_TOO_LARGE", "too-large"],

  // The error for an https URL if the server does not support TLS.
  ["EPROTO", "tls"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "tls"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
  ["UNABLE_TO_GET_ISSUER_CERT", "tls"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls"],
  ["UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY", "tls"],
  ["UNABLE_TO_DECRYPT_CERT_SIGNATURE", "tls"],
  ["ERROR_IN_CERT_NOT_BEFORE_FIELD", "tls"],
  ["ERROR_IN_CERT_NOT_AFTER_FIELD", "tls"],
  ["INVALID_CA", "tls"],
  ["INVALID_PURPOSE", "tls"],
  ["PATH_LENGTH_EXCEEDED", "tls"],
  ["HOSTNAME_MISMATCH", "tls"],
]);

/** Prefixes of groups of error codes. */
const families: readonly (readonly [prefix: string, failure: SubscriptionFailure])[] = [
  ["EAI_", "unresolved"],
  ["HPE_", "not-http"],
  ["ERR_SSL_", "tls"],
  ["ERR_TLS_", "tls"],
  ["CERT_", "tls"],
  ["CRL_", "tls"],
];

/**
 * Finds out from an error of Node why a request failed: one kind per code, `unreachable` for unknown codes. Ignores the
 * rest of the error, because messages and properties quote URLs, host names and bytes of the response.
 */
export function toFetchReason(error: unknown): FetchReason {
  if (error instanceof FetchFailure) return error.reason;
  const code = codeOf(error);
  const kind = failures.get(code) ?? families.find(([prefix]) => code.startsWith(prefix))?.[1];
  return { kind: kind ?? "unreachable" };
}

/**
 * Finds out why decompression failed. Distinguishes only the size limit, because the other codes differ between
 * compressions.
 */
export function toDecompressionReason(error: unknown): FetchReason {
  return { kind: codeOf(error) === "ERR_BUFFER_TOO_LARGE" ? "too-large" : "undecodable" };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
