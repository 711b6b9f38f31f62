/**
 * Why `fetch` gave no answer, in a phrase: `connect ECONNREFUSED 127.0.0.1:1`. What it says itself is `fetch failed`; the reason is in
 * `cause`. `timeoutMs` is the limit that the call had.
 */
export function whyUnanswered(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause ? String(cause.code) : "";
  if (untrusted.has(code)) {
    return `${cause.message}. To trust the certificate, set NODE_EXTRA_CA_CERTS to a file with that of its authority`;
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return "TLS failed: the server may speak plain http there";
  // A name with several addresses has a reason for each, and no sentence of its own.
  if (cause instanceof AggregateError) return cause.errors.map(messageOf).join(", ");
  return cause.message === "" ? error.message : cause.message;
}

/** What Node says of certificates that nobody vouches for. */
const untrusted: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
