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

/** Error codes of Node: from the system, its HTTP parser (llhttp), TLS (OpenSSL) and zlib. The first match counts. */
const failures: readonly (readonly [code: RegExp, failure: SubscriptionFailure])[] = [
  [/^ECONNREFUSED$/, "refused"],
  [/^(ENOTFOUND|ENODATA|ESERVFAIL|EAI_)/, "unresolved"],
  [/^(ETIMEDOUT|ESOCKETTIMEDOUT|ERR_SOCKET_CONNECTION_TIMEOUT)$/, "timeout"],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|ERR_STREAM_PREMATURE_CLOSE|HPE_INVALID_EOF_STATE)$/, "connection-lost"],
  [/^HPE_.*_OVERFLOW$/, "too-large"],
  [/^HPE_/, "not-http"],
  [/^(Z_|ERR_+BROTLI|ERR__ERROR|ERR_PADDING)/, "undecodable"],
  // EPROTO is the error for an https URL if the server does not support TLS.
  [/^(EPROTO|ERR_SSL_|ERR_TLS_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERROR_IN_CERT_|INVALID_CA)/, "tls"],
  [/^(INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/, "tls"],
];

/**
 * Finds out from an error of Node why a request failed: one kind per code, `unreachable` for unknown codes. Ignores the
 * rest of the error, because messages and properties quote URLs, host names and bytes of the response.
 */
export function toFetchReason(error: unknown): FetchReason {
  if (error instanceof FetchFailure) return error.reason;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return { kind: failures.find(([pattern]) => pattern.test(code))?.[1] ?? "unreachable" };
}
