import { excerpt, type Mask } from "./excerpt.js";
import { createMask } from "./mask.js";

/** How many characters of a value a message quotes. */
const maxQuoteLength = 300;
/** Deeper than anything in the contract. */
const maxDepth = 100;

/** Masks values that are secret according to the name of their field. Used if no secret value is known. */
export const maskSecretFields: Mask = createMask([]);

/** Creates a function that quotes values in messages: as JSON, masked, then shortened, since a server may send anything. */
export function createQuoter(mask: Mask): (value: unknown) => string {
  return (value) => excerpt(jsonText(value), maxQuoteLength, mask);
}

/**
 * Writes a value as JSON. Replaces values nested more than 100 levels deep with `"…"` if JSON cannot be written otherwise, and writes a
 * value that JSON lacks as `nothing`. Never throws for a value that came from JSON.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(value, createPruner()) ?? "nothing";
  }
}

/** Creates a replacer for `JSON.stringify` that stops at `maxDepth`. */
function createPruner(): (this: object, key: string, value: unknown) => unknown {
  const depths = new WeakMap<object, number>();
  return function (_, value) {
    if (typeof value !== "object" || value === null) return value;
    const depth = (depths.get(this) ?? 0) + 1;
    depths.set(value, depth);
    return depth > maxDepth ? "…" : value;
  };
}

/** Names the type of a JSON value: `an array`, `a string`, `missing` for undefined. */
export function describeType(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a number with a fraction";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
