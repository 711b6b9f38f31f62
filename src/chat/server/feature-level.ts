import { featureLevels } from "../../../generated/chat/feature-levels.js";
import { newestLevel, requestLevels } from "../../../generated/chat/request-levels.js";
import { type FeatureName, supports } from "../supports.js";

interface Presence {
  readonly added?: number;
  readonly removed?: number;
}

function isPresent({ added = 0, removed }: Presence, level: number): boolean {
  return added <= level && (removed === undefined || level < removed);
}

/** Whether a server of a feature level has an operation. */
export function isOperationPresent(operationId: string, level: number): boolean {
  return isPresent(requestLevels[operationId] ?? {}, level);
}

/** Whether a server of a feature level reports ignored parameters. */
export function reportsIgnored(level: number): boolean {
  return isPresent(featureLevels.ignored_parameters_unsupported ?? {}, level);
}

/** Whether a server of a feature level has a parameter of an operation. */
export function isParameterPresent(operationId: string, name: string, level: number): boolean {
  return isPresent(requestLevels[operationId]?.parameters[name] ?? {}, level);
}

/** The parameters that an operation has at a feature level, and those of them that it requires. */
export interface LevelParameters {
  readonly isKnown: (name: string) => boolean;
  readonly required: readonly string[];
}

/** Looks up the parameters of an operation at a feature level. */
export function parametersAt(operationId: string, level: number): LevelParameters {
  const key = `${operationId} ${level}`;
  const known = parametersByLevel.get(key);
  if (known !== undefined) return known;
  const rows = Object.entries(requestLevels[operationId]?.parameters ?? {});
  const absent = new Set(rows.flatMap(([name]) => (isParameterPresent(operationId, name, level) ? [] : [name])));
  const required = rows.flatMap(([name, { requiredFrom, requiredUntil }]) => {
    if (requiredFrom === undefined || absent.has(name)) return [];
    return isPresent({ added: requiredFrom, removed: requiredUntil }, level) ? [name] : [];
  });
  const parameters = { isKnown: (name: string) => !absent.has(name), required };
  parametersByLevel.set(key, parameters);
  return parameters;
}

/** At most one entry for each operation and each level that a server of this process has. */
const parametersByLevel = new Map<string, LevelParameters>();

/** Removes fields of later feature levels from the JSON text of a response. */
export function withoutLaterFields(feature: string, body: string, level: number): string {
  if (level >= newestLevel) return body;
  return JSON.stringify(removeLaterFields(feature, JSON.parse(body), level));
}

/** Removes later fields from a value. A field of a list item has the name of the list as its prefix. */
function removeLaterFields(name: string, value: unknown, level: number): unknown {
  if (Array.isArray(value)) return value.map((item) => removeLaterFields(name, item, level));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).filter(([key]) => supports(level, `${name}.${key}` as FeatureName));
  return Object.fromEntries(fields.map(([key, inner]) => [key, removeLaterFields(`${name}.${key}`, inner, level)]));
}
