import { parseJson } from "../../parse-json.js";
import { maxAnswerBytes } from "../answer-limits.js";
import { CouldNotRunError } from "../could-not-run-error.js";
import { excerpt } from "../excerpt.js";
import { redirectFault } from "../redirect-fault.js";
import { maskPlaces } from "./create-show.js";
import { jsonText } from "./json-text.js";
import { kindOf } from "./kind-of.js";
import { readText } from "./read-text.js";
import { whyUnanswered } from "./why-unanswered.js";

/**
 * The feature level that a server tells in its settings; 0 when it tells none. Source: requirements, "Versioning".
 *
 * Rejects with a `CouldNotRunError` when there is no answer, or none with settings, which says nothing about the contract: it may be
 * no chat server. Rejects with the reason of the signal when that is aborted.
 */
export async function readServerLevel(origin: string, timeoutMs: number, signal?: AbortSignal): Promise<number> {
  const url = `${origin}/api/v1/server_settings`;
  const { status, text, fault } = await fetchSettings(url, timeoutMs, signal);
  if (fault !== undefined) throw new CouldNotRunError(`${url}: ${fault}. Give the URL of the server itself`);
  const level = status === 200 ? levelIn(parseJson(text)) : undefined;
  if (typeof level === "number") return level;
  if (level !== undefined) {
    throw new CouldNotRunError(
      `${url} has to give service_feature_level as an integer of at least 0, and gives ${kindOf(level.value)}: ` +
        `${excerpt(jsonText(level.value), 60, maskPlaces)}. Correct the server, or give --feature-level`,
    );
  }
  throw new CouldNotRunError(
    `${url} gives no settings of a chat server: it answered ${status} with ${excerpt(text, 300, maskPlaces) || "nothing"}\n` +
      "Correct the URL, or give --feature-level",
  );
}

async function fetchSettings(
  url: string,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<{ readonly status: number; readonly text: string; readonly fault: string | undefined }> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const { status, headers } = response;
    const fault = redirectFault({ status, location: headers.get("Location") }, url);
    return { status, text: await readText(response, maxAnswerBytes), fault };
  } catch (error) {
    signal?.throwIfAborted();
    const why = whyUnanswered(error, timeoutMs);
    throw new CouldNotRunError(`${url} does not answer: ${why}. Start the server, or correct the URL`);
  }
}

/**
 * The level, or what is told in its place; undefined for what is not the settings of a chat server. Who tells no level has to show
 * otherwise that it is one: by the envelope of a success.
 */
function levelIn(body: unknown): number | { readonly value: unknown } | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  if (!("service_feature_level" in body)) return "result" in body && body.result === "success" ? 0 : undefined;
  const value = body.service_feature_level;
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : { value };
}
