import { CouldNotRunError } from "../../../base/could-not-run-error.js";
import { parseBoundedJson } from "../../../base/parse-json.js";
import { valueAt } from "../../../contract/json-pointer.js";
import type { LevelConvention } from "../../../contract/rest/conventions.js";
import { excerpt } from "../../../judge/excerpt.js";
import type { ReceivedResponse } from "../../../judge/http-message.js";
import { describeType, jsonText, maskSecretFields } from "../../../judge/quote.js";
import { describeCallError } from "../../http/describe-call-error.js";
import { NoAnswerError } from "../../http/no-answer-error.js";
import { isNotJson, sendRequest } from "../../http/send-request.js";
import type { Pace } from "../../pace.js";

/** The facts that a server reports about itself. */
export interface ServerSettings {
  /** The feature level. */
  readonly level: number;
  /** The version of the server's software, if it is a text. */
  readonly version?: string;
}

/** Where the settings are. */
export interface SettingsSource {
  /** The URL of the operation that returns them. */
  readonly url: string;
  readonly convention: LevelConvention;
  /** The URL of the API with the path of its document, if the user gave another. */
  readonly documented?: string;
  /** Whether a response is a success of the operation, so that it is one of such a server even without a level. */
  readonly isSuccess: (body: object) => boolean;
}

interface SettingsLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly pace?: Pace;
}

/**
 * Reads the settings of a server.
 *
 * Rejects with a `CouldNotRunError` if there is no response, or it has no settings or no level: the server may be one of another API, so
 * this says nothing about the contract. Rejects with the signal's reason once that aborts.
 */
export async function readServerSettings(
  { url, convention, documented, isSuccess }: SettingsSource,
  limits: SettingsLimits,
): Promise<ServerSettings> {
  const { status, text, fault } = await fetchSettings(url, limits);
  if (fault !== undefined) throw new CouldNotRunError(`${url}: ${fault}. Give the URL of the server itself`);
  const body = status === 200 ? parseBoundedJson(text) : undefined;
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  const value = isObject ? valueAt(body, convention.at) : undefined;
  const version = isObject && convention.version !== undefined ? valueAt(body, convention.version) : undefined;
  const known = typeof version === "string" ? { version } : {};
  if (value === undefined && isObject && isSuccess(body)) {
    throw new CouldNotRunError(
      `${url} does not return ${convention.at.slice(1)}, so the feature level of the server is unknown: give it with --feature-level, ` +
        "such as --feature-level 0 for a server that is older than all levels",
    );
  }
  if (value === undefined) {
    throw new CouldNotRunError(
      `${url} does not return the settings of such a server: it answered ${status} with ${excerpt(text, 300, maskSecretFields) || "nothing"}\n` +
        `Correct the URL${documented === undefined ? "" : `, perhaps to ${documented}`}, or give --feature-level`,
    );
  }
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return { level: value, ...known };
  throw new CouldNotRunError(
    `${url} must return ${convention.at.slice(1)} as an integer of at least 0, but returns ${describeType(value)}: ` +
      `${excerpt(jsonText(value), 60, maskSecretFields)}. Correct the server, or give --feature-level`,
  );
}

async function fetchSettings(
  url: string,
  { timeoutMs, signal = new AbortController().signal, headers = {}, pace }: SettingsLimits,
): Promise<ReceivedResponse> {
  try {
    return await sendRequest({ method: "GET", url, headers }, { timeoutMs, signal, pace }, isNotJson);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NoAnswerError && (error.kind === "gateway" || error.kind === "busy"))
      throw new CouldNotRunError(`${url}: ${error.message}. Verify again once the server responds`);
    const reason = describeCallError(error instanceof NoAnswerError ? error.cause : error, timeoutMs);
    throw new CouldNotRunError(`${url} does not answer: ${reason}. Start the server, or correct the URL`);
  }
}
