/**
 * Whether a value, or anything in it, is a text or a key with a null byte. PostgreSQL cannot store one, SQLite can; servers on both
 * refuse it. Not recursive, because JSON may be nested very deeply.
 */
export function hasNullByte(value: unknown): boolean {
  const rest = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one === "string" && one.includes("\0")) return true;
    if (Array.isArray(one)) for (const item of one) rest.push(item);
    else if (typeof one === "object" && one !== null) rest.push(Object.keys(one), Object.values(one));
  }
  return false;
}
