import { parseJson } from "../../../parse-json.js";
import { CouldNotRunError } from "../../could-not-run-error.js";
import { excerpt } from "../../excerpt.js";
import { callHttp, type HttpAnswer } from "../../http/call-http.js";
import { describeCallError } from "../../http/describe-call-error.js";
import { describeType, jsonText, maskSecretFields } from "../../http/quote.js";

/** The facts that a chat server reports about itself. */
export interface ServerSettings {
  /** The feature level; 0 if the settings have none. Source: requirements, "Versioning". */
  readonly level: number;
  /** The version of the server's software, if it is a text. */
  readonly version?: string;
}

interface SettingsLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Reads the settings of a server.
 *
 * Rejects with a `CouldNotRunError` if there is no response or it has no settings: the server may not be a chat server, so this says
 * nothing about the contract. Rejects with the signal's reason once that aborts.
 */
export async function readServerSettings(origin: string, limits: SettingsLimits): Promise<ServerSettings> {
  const url = `${origin}/api/v1/server_settings`;
  const { status, bytes, fault } = await fetchSettings(url, limits);
  const text = bytes.toString("utf8");
  if (fault !== undefined) throw new CouldNotRunError(`${url}: ${fault}. Give the URL of the server itself`);
  const body = status === 200 ? parseJson(text) : undefined;
  const level = levelIn(body);
  if (typeof level === "number") return { level, ...versionIn(body) };
  if (level !== undefined) {
    throw new CouldNotRunError(
      `${url} must return service_feature_level as an integer of at least 0, but returns ${describeType(level.value)}: ` +
        `${excerpt(jsonText(level.value), 60, maskSecretFields)}. Correct the server, or give --feature-level`,
    );
  }
  throw new CouldNotRunError(
    `${url} does not return the settings of a chat server: it answered ${status} with ${excerpt(text, 300, maskSecretFields) || "nothing"}\n` +
      "Correct the URL, or give --feature-level",
  );
}

async function fetchSettings(url: string, { timeoutMs, signal, headers = {} }: SettingsLimits): Promise<HttpAnswer> {
  try {
    return await callHttp({ method: "GET", url, headers }, { timeoutMs, signal });
  } catch (error) {
    signal?.throwIfAborted();
    const reason = describeCallError(error, timeoutMs);
    throw new CouldNotRunError(`${url} does not answer: ${reason}. Start the server, or correct the URL`);
  }
}

function versionIn(body: unknown): Pick<ServerSettings, "version"> {
  const version: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "service_version") : undefined;
  return typeof version === "string" ? { version } : {};
}

/**
 * Returns the level, or the value found instead if it is not a level; undefined if the body is not the settings of a
 * chat server. Settings without a level are recognized by the envelope of a success.
 */
function levelIn(body: unknown): number | { readonly value: unknown } | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
  if (!("service_feature_level" in body)) return "result" in body && body.result === "success" ? 0 : undefined;
  const value = body.service_feature_level;
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : { value };
}
