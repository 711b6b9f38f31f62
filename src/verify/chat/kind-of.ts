/** What a JSON value is, in words. */
export function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return Number.isInteger(value) ? "an integer" : "a number with a fraction";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
