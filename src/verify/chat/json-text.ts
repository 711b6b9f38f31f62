/** Deeper than anything in the contract. */
const deepest = 100;

/**
 * A value as JSON text. What is nested deeper than can be written out is `"…"` from the hundredth level on, and what JSON does not have
 * is `nothing`. Never throws for a value that came from JSON.
 */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return JSON.stringify(value, createPruning()) ?? "nothing";
  }
}

/** A function for `JSON.stringify` that goes no deeper. */
function createPruning(): (this: object, key: string, value: unknown) => unknown {
  const depths = new WeakMap<object, number>();
  return function (_, value) {
    if (typeof value !== "object" || value === null) return value;
    const depth = (depths.get(this) ?? 0) + 1;
    depths.set(value, depth);
    return depth > deepest ? "…" : value;
  };
}
