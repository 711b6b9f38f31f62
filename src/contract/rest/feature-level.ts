import { type FeatureLevel, resolve } from "./document.js";

/** The `x-feature-level` of a node of the contract, if it has one. */
export function featureLevelOf(node: unknown): FeatureLevel | undefined {
  if (typeof node !== "object" || node === null || !("x-feature-level" in node)) return undefined;
  return node["x-feature-level"] as FeatureLevel;
}

/** The levels of a node, or else those of the target of its reference. */
export function levelOf(document: object, node: unknown): FeatureLevel | undefined {
  const own = featureLevelOf(node);
  if (own !== undefined || typeof node !== "object" || node === null || !("$ref" in node)) return own;
  return featureLevelOf(resolve(document, node as { $ref: string }));
}

/** Whether a part of the contract with these levels exists at a level. */
export function isPresent(levels: FeatureLevel | undefined, level: number): boolean {
  return (levels?.added ?? 0) <= level && level < (levels?.removed ?? Number.POSITIVE_INFINITY);
}
