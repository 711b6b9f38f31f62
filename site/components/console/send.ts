import type { HttpRequest } from "../../../src/judge/http-message.js";
import { bytesText, maxAnswerBytes, tooLarge } from "../../../src/wire/answer-limits.js";

/** The parts of a response that a page may read. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly statusText: string;
  /** The headers that the server exposes to the page. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  readonly durationMs: number;
}

/** The result of a request: the response, or why there is none. */
export type Outcome = Answer | { readonly kind: "failure"; readonly reason: string };

const timeoutMs = 30_000;

/**
 * Sends a request with `fetch`, and reads at most 4 MiB of the response. Sends no cookies and follows no redirect, because the key is
 * meant for that server alone.
 */
export async function send(request: HttpRequest, signal: AbortSignal): Promise<Outcome> {
  const started = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: toBody(request.body) }),
      credentials: "omit",
      cache: "no-store",
      redirect: "manual",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.any([signal, timeout]),
    });
    if (response.type === "opaqueredirect" || (response.status >= 300 && response.headers.has("Location"))) {
      return { kind: "failure", reason: "The server redirects, and the console does not follow redirects." };
    }
    const text = await readText(response);
    if (text === undefined) return { kind: "failure", reason: `No answer shown: ${tooLarge(maxAnswerBytes)}.` };
    const { status, statusText, headers } = response;
    const durationMs = Math.round(performance.now() - started);
    return { kind: "answer", status, statusText, headers: [...headers], text, durationMs };
  } catch (error) {
    if (signal.aborted) return { kind: "failure", reason: "Cancelled." };
    if (timeout.aborted) return { kind: "failure", reason: `No answer within ${timeoutMs / 1000} seconds.` };
    return { kind: "failure", reason: describeFailure(request.url, error) };
  }
}

function toBody(body: NonNullable<HttpRequest["body"]>): string | FormData {
  if (typeof body === "string") return body;
  const form = new FormData();
  for (const [name, value] of body) form.append(name, value);
  return form;
}

/** Reads a body as UTF-8. Undefined, and the transfer is cancelled, if it is larger than the maximum. */
async function readText({ body }: Response): Promise<string | undefined> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    length += piece.value.length;
    if (length > maxAnswerBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}

/** Names likely reasons, because a browser does not say why a request failed. */
function describeFailure(url: string, error: unknown): string {
  const { origin } = new URL(url);
  const page = typeof location === "undefined" ? "this page" : location.origin;
  const message = error instanceof Error ? error.message : String(error);
  return (
    `No answer from ${origin} (${message}). Either nothing listens there: start \`npx --no-install accord mock\` or \`npx --no-install accord serve chat\`. ` +
    `Or the server does not let pages of ${page} call it: \`accord serve chat --cors ${page}\` does.`
  );
}

/** Formats the size of a text in UTF-8. */
export function sizeOf(text: string): string {
  return bytesText(new TextEncoder().encode(text).length);
}
