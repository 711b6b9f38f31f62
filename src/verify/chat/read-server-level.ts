import { CouldNotRunError } from "../could-not-run-error.js";

/**
 * The feature level that a server tells in its settings; 0 when it tells none. Source: requirements, "Versioning".
 *
 * Rejects with a `CouldNotRunError` when the server does not answer in JSON, which says nothing about the contract: it may not be one.
 */
export async function readServerLevel(origin: string, timeoutMs: number, signal?: AbortSignal): Promise<number> {
  const url = `${origin}/api/v1/server_settings`;
  const timeout = AbortSignal.timeout(timeoutMs);
  let text: string;
  try {
    const response = await fetch(url, { signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]) });
    text = await response.text();
  } catch {
    throw new CouldNotRunError(`${url} does not answer. Start the server, or correct the URL`);
  }
  const level = levelIn(text);
  if (level !== undefined) return level;
  throw new CouldNotRunError(`${url} does not tell a feature level. Correct the URL, or give --feature-level`);
}

function levelIn(text: string): number | undefined {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
    const level = "service_feature_level" in body ? body.service_feature_level : 0;
    return typeof level === "number" && Number.isInteger(level) && level >= 0 ? level : undefined;
  } catch {
    return undefined;
  }
}
