/** How deep values are compared. Deeper parts count as equal. */
export const maxComparedDepth = 1_000;

/**
 * Writes a JSON value as a text that equal values share: members in order, numbers by value. Calls nothing that is in the value, which may
 * have members such as `valueOf` and `toString`.
 */
function canonicalText(value: unknown, depth = 0): string {
  if (depth > maxComparedDepth) return "";
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, depth + 1)).join()}]`;
  if (typeof value !== "object" || value === null)
    return typeof value === "bigint" ? String(value) : (JSON.stringify(value) ?? "");
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalText(Reflect.get(value, name), depth + 1)}`).join()}}`;
}

/** Whether a JSON value equals one of the others. */
export function isOneOf(value: unknown, others: readonly unknown[]): boolean {
  if (typeof value !== "object" || value === null) return others.includes(value);
  const text = canonicalText(value);
  return others.some((other) => typeof other === "object" && other !== null && canonicalText(other) === text);
}

/** The positions of two equal items. Undefined if all items differ. Takes time in proportion to the size of the items. */
export function findDuplicate(items: readonly unknown[]): readonly [first: number, second: number] | undefined {
  const seen = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    const key = keyOf(item);
    const known = seen.get(key);
    if (known !== undefined) return [known, index];
    seen.set(key, index);
  }
  return undefined;
}

/** A value that equal items share. The text of a list or an object begins with a bracket, that of a string with a quotation mark. */
function keyOf(item: unknown): unknown {
  if (typeof item === "string") return `"${item}`;
  return typeof item === "object" && item !== null ? canonicalText(item) : item;
}
