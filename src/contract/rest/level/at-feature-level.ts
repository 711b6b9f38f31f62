import { isObject } from "../../../base/is-object.js";
import type { ContractDocument, Schema } from "../document.js";
import { featureLevelOf, isPresent, levelOf } from "../feature-level.js";
import { listOperations } from "../operations.js";
import { holdsAt } from "../rule.js";
import { pruneCases } from "./prune-cases.js";

/**
 * Returns the contract as of a feature level: without later additions and earlier removals, with later changes reverted, and with
 * only the rules and cases of that level.
 */
export function atFeatureLevel(document: ContractDocument, level: number): ContractDocument {
  const result = view(document, document, level) as ContractDocument;
  for (const [path, item] of Object.entries(result.paths)) {
    if (Object.keys(item).length === 0) delete result.paths[path];
  }
  dropUndocumentedCodes(document, result);
  pruneCases(document, result, dropRules(result, level));
  return result;
}

function view(document: ContractDocument, node: unknown, level: number): unknown {
  if (Array.isArray(node)) {
    return node
      .filter((child) => isPresent(levelOf(document, child), level))
      .map((child) => view(document, child, level));
  }
  if (typeof node !== "object" || node === null) return node;
  const reverted = revert(node, level);
  const present = Object.entries(reverted).filter(([, child]) => isPresent(levelOf(document, child), level));
  const result = Object.fromEntries(present.map(([key, child]) => [key, view(document, child, level)]));
  return withoutLostRequired(result, reverted);
}

/** Reverts later changes, the latest first, and a later deprecation. */
function revert(node: object, level: number): Record<string, unknown> {
  const levels = featureLevelOf(node);
  let result: Record<string, unknown> = { ...node };
  if (levels === undefined) return result;
  const later = (levels.changed ?? []).filter((change) => change.level > level).sort((a, b) => b.level - a.level);
  for (const { before = {} } of later) result = mergePatch(result, before) as Record<string, unknown>;
  if (levels.deprecated !== undefined && levels.deprecated > level) delete result.deprecated;
  return result;
}

/** Removes properties that no longer exist from `required`. */
function withoutLostRequired(result: Record<string, unknown>, before: Schema): Record<string, unknown> {
  const { required } = before;
  const properties = result.properties;
  if (!Array.isArray(required) || typeof properties !== "object" || properties === null) return result;
  const lost = new Set(Object.keys(before.properties ?? {}).filter((name) => !(name in properties)));
  return lost.size === 0 ? result : { ...result, required: required.filter((name) => !lost.has(name)) };
}

/** Removes the codes of removed error schemas from `DocumentedErrorCode`. */
function dropUndocumentedCodes(before: ContractDocument, result: ContractDocument): void {
  const codes = result.components.schemas.DocumentedErrorCode;
  if (codes?.enum === undefined) return;
  const lost = Object.entries(before.components.schemas).flatMap(([name, { properties }]) =>
    name in result.components.schemas ? [] : [properties?.code?.const],
  );
  codes.enum = codes.enum.filter((code) => !lost.includes(code));
}

/** Removes rules that do not hold at the level. Returns the ids of the others. */
function dropRules(result: ContractDocument, level: number): Set<string> {
  const kept = new Set<string>();
  for (const holder of [result, ...listOperations(result).map(({ operation }) => operation)]) {
    if (holder["x-rules"] === undefined) continue;
    holder["x-rules"] = holder["x-rules"].filter((rule) => holdsAt(rule, level));
    for (const { id } of holder["x-rules"]) kept.add(id);
  }
  return kept;
}

/**
 * Returns the target with a JSON merge patch applied (RFC 7396, section 2). `null` in the patch removes a key. Does not modify the
 * target.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}
