import { bytesText, maxAnswerBytes, maxHeldBytes, tooLarge } from "../../answer-limits.js";
import { redirectFault } from "../../redirect-fault.js";

/** A response, read to its end. */
export interface FetchedText {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Set if the response redirects: a sentence that says so. */
  readonly fault: string | undefined;
}

/** Limits of one request. */
export interface FetchLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends one request and reads its response, at most `maxAnswerBytes`. Does not follow redirects. Rejects as `fetch` does, or with a
 * `TooLargeError`.
 */
export async function fetchText(
  url: string,
  init: Pick<RequestInit, "method" | "headers" | "body">,
  { timeoutMs, signal }: FetchLimits,
): Promise<FetchedText> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, {
    ...init,
    redirect: "manual",
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  });
  const { status, headers } = response;
  const fault = redirectFault({ status, location: headers.get("Location") }, url);
  return { status, headers, text: await readText(response, maxAnswerBytes), fault };
}

/** A response exceeded its size limit. */
export class TooLargeError extends Error {
  override readonly name = "TooLargeError";
}

/** The bytes of all responses that this process is reading. */
let heldBytes = 0;

/** Reads the body of a response as UTF-8. Rejects as `readBytes` does. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  return (await readBytes(response, maxBytes)).toString("utf8");
}

/**
 * Reads the body of a response, decompressed. Rejects with a `TooLargeError`, and cancels the response, once it exceeds
 * `maxBytes`, or all concurrently read bodies together exceed `maxHeldBytes`; otherwise rejects as `fetch` does.
 */
export async function readBytes({ body }: Response, maxBytes: number): Promise<Buffer> {
  if (body === null) return Buffer.alloc(0);
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    // A platform stream is async iterable, but its type lacks the iterator.
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      length += piece.length;
      heldBytes += piece.length;
      if (length > maxBytes) throw new TooLargeError(tooLarge(maxBytes));
      if (heldBytes > maxHeldBytes) {
        throw new TooLargeError(
          `the answers that are read at the same time are larger than ${bytesText(maxHeldBytes)}`,
        );
      }
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  } finally {
    heldBytes -= length;
  }
}

/**
 * Describes why `fetch` failed, as a phrase: `connect ECONNREFUSED 127.0.0.1:1`. Its own message is only `fetch failed`; the reason is
 * in `cause`. `timeoutMs` is the limit that the call had.
 */
export function describeFetchError(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code = "code" in cause ? String(cause.code) : "";
  if (untrustedCertificateCodes.has(code)) {
    return `${cause.message}. To trust the certificate, set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority`;
  }
  if (code === "EPROTO" || code.startsWith("ERR_SSL_")) return "TLS failed: the server may speak plain http there";
  // A host name with several addresses has one error per address and no message of its own.
  if (cause instanceof AggregateError) return cause.errors.map(describeError).join(", ");
  return cause.message === "" ? error.message : cause.message;
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
