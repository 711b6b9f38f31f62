import { newestLevel } from "../../../generated/chat/request-levels.js";
import { type FeatureName, supports } from "../supports.js";

/** The JSON text of a response without the fields that a server of the feature level does not have. */
export function withoutLaterFields(feature: string, body: string, level: number): string {
  if (level >= newestLevel) return body;
  return JSON.stringify(strip(feature, JSON.parse(body), level));
}

/** Feature names lead through lists to the fields of their items. */
function strip(name: string, value: unknown, level: number): unknown {
  if (Array.isArray(value)) return value.map((item) => strip(name, item, level));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => supports(level, `${name}.${key}` as FeatureName));
  return Object.fromEntries(fields.map(([key, inner]) => [key, strip(`${name}.${key}`, inner, level)]));
}
