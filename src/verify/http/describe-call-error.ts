import { UnexpectedTlsError } from "../../wire/tls-probe.js";

/** Describes why a call failed, as a phrase: `connect ECONNREFUSED 127.0.0.1:1`. `timeoutMs` is the limit that the call had. */
export function describeCallError(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs} ms`;
  if (error instanceof UnexpectedTlsError) return error.message;
  const code = "code" in error ? String(error.code) : "";
  if (untrustedCertificateCodes.has(code)) {
    return `${error.message}. To trust the certificate, set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority`;
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return "TLS failed: the server may speak plain http there";
  if (code === "ECONNRESET") return "the server closed the connection";
  // A host name with several addresses has one error per address and no message of its own.
  if (error instanceof AggregateError) return error.errors.map(describeError).join(", ");
  return error.message;
}

/** Node's error codes for certificates without a trusted issuer. */
const untrustedCertificateCodes: ReadonlySet<string> = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Returns the message of an error, followed by the messages of its causes. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const reason = describeError(cause);
  return reason === "" ? error.message : `${error.message}: ${reason}`;
}
