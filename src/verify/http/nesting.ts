/** Deeper than anything in a contract, and less deep than what a comparison can follow. */
export const maxDepth = 500;

/** The problem of a response that is nested deeply, as a sentence. */
export const nestedTooDeeply = "the answer is nested too deeply to read";

/** Whether a value that came from JSON is nested so deeply that comparing or writing it could exceed the stack. */
export function isNestedDeeply(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth >= maxDepth || Object.values(value).some((item) => isNestedDeeply(item, depth + 1));
}
