import { resolve } from "./document.js";

/** `x-feature-level`: the levels at which a part of the contract exists, and how later levels changed it. */
export interface FeatureLevel {
  /** The first level that includes it. */
  readonly added?: number;
  /** The first level that deprecates it. */
  readonly deprecated?: number;
  /** The first level without it. */
  readonly removed?: number;
  readonly changed?: readonly LevelChange[];
  readonly note?: string;
}

/** A change of one level. */
export interface LevelChange {
  readonly level: number;
  readonly note: string;
  /** A JSON merge patch (RFC 7396) that restores the object below the level. */
  readonly before?: Readonly<Record<string, unknown>>;
}

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
