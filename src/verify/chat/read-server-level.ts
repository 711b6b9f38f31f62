import { CouldNotRunError } from "../could-not-run-error.js";
import { maskPlaces, parse } from "./compare-response.js";
import { excerpt } from "./excerpt.js";
import { readText } from "./read-text.js";
import { whyUnanswered } from "./why-unanswered.js";

/** Settings are far smaller. */
const mostBytes = 4 * 1024 * 1024;

/**
 * The feature level that a server tells in its settings; 0 when it tells none. Source: requirements, "Versioning".
 *
 * Rejects with a `CouldNotRunError` when there is no answer, or none with settings, which says nothing about the contract: it may be
 * no chat server. Rejects with the reason of the signal when that is aborted.
 */
export async function readServerLevel(origin: string, timeoutMs: number, signal?: AbortSignal): Promise<number> {
  const url = `${origin}/api/v1/server_settings`;
  const { status, text } = await fetchSettings(url, timeoutMs, signal);
  const level = status === 200 ? levelIn(parse(text)) : undefined;
  if (level !== undefined) return level;
  throw new CouldNotRunError(
    `${url} gives no settings of a chat server: it answered ${status} with ${excerpt(text, 300, maskPlaces) || "nothing"}\n` +
      "Correct the URL, or give --feature-level",
  );
}

async function fetchSettings(
  url: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly status: number; readonly text: string }> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return { status: response.status, text: await readText(response, mostBytes) };
  } catch (error) {
    signal?.throwIfAborted();
    const why = whyUnanswered(error, timeoutMs);
    throw new CouldNotRunError(`${url} does not answer: ${why}. Start the server, or correct the URL`);
  }
}

/** Who tells no level has to show otherwise that it is a chat server: by the envelope of a success. */
function levelIn(body: unknown): number | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  if (!("service_feature_level" in body)) return "result" in body && body.result === "success" ? 0 : undefined;
  const level = body.service_feature_level;
  return typeof level === "number" && Number.isInteger(level) && level >= 0 ? level : undefined;
}
