import { resolve } from "./document.js";

/** `x-feature-level`: from which level on something exists, and what each later level changed about it. */
export interface FeatureLevel {
  /** The first level that has it. */
  readonly added?: number;
  /** The first level that advises against it. */
  readonly deprecated?: number;
  /** The first level that no longer has it. */
  readonly removed?: number;
  readonly changed?: readonly LevelChange[];
  readonly note?: string;
}

/** What one level changed. */
export interface LevelChange {
  readonly level: number;
  readonly note: string;
  /** A JSON merge patch (RFC 7396) that gives the object as it was below the level. */
  readonly before?: Readonly<Record<string, unknown>>;
}

/** The `x-feature-level` of a node of the contract, if it has one. */
export function featureLevelOf(node: unknown): FeatureLevel | undefined {
  if (typeof node !== "object" || node === null || !("x-feature-level" in node)) return undefined;
  return node["x-feature-level"] as FeatureLevel;
}

/** The levels of a node; a reference without levels of its own has those of what it names. */
export function levelOf(document: object, node: unknown): FeatureLevel | undefined {
  const own = featureLevelOf(node);
  if (own !== undefined || typeof node !== "object" || node === null || !("$ref" in node)) return own;
  return featureLevelOf(resolve(document, node as { $ref: string }));
}
