const marked = new WeakSet<object>();

/**
 * Marks the result of a handler as immutable, including all objects and lists inside it. Returns the same object.
 *
 * If a handler returns the object again, the server reuses its serialized text. It serializes a long result in slices, so that other
 * requests proceed meanwhile.
 */
export function reusable<Result extends object>(result: Result): Result {
  marked.add(result);
  return result;
}

/** Whether a handler's result is marked by `reusable`. */
export function isReusable(result: unknown): result is object {
  return typeof result === "object" && result !== null && marked.has(result);
}

/** A value that is JSON text already. */
class Serialized {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/**
 * Stands for a value of which only the JSON text is known, as a field of a result that is marked by `reusable`. A handler with a long
 * list can thus forget each item as soon as it has serialized it.
 */
export function serialized<Value>(text: string): Value {
  return new Serialized(text) as Value;
}

/** Number of list items that are serialized at once. */
const itemsPerSlice = 50;
/** Number of characters after which `jsonText` yields. */
const maxSliceLength = 256 * 1024;

/**
 * Serializes an object as `JSON.stringify` does, and yields between parts of its long lists. The object must not change meanwhile.
 */
export function* jsonText(body: object): Generator<void, string> {
  const isLong = (value: unknown) => Array.isArray(value) && value.length > itemsPerSlice;
  if (!Object.values(body).some((value) => isLong(value) || value instanceof Serialized)) return JSON.stringify(body);
  const fields: string[] = [];
  let length = 0;
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Serialized) {
      fields.push(`${JSON.stringify(name)}:${value.text}`);
      continue;
    }
    if (!Array.isArray(value) || value.length <= itemsPerSlice) {
      const field = JSON.stringify({ [name]: value }).slice(1, -1);
      if (field !== "") fields.push(field);
      continue;
    }
    const parts: string[] = [];
    for (let from = 0; from < value.length; from += itemsPerSlice) {
      if (length > maxSliceLength) {
        yield;
        length = 0;
      }
      const part = JSON.stringify(value.slice(from, from + itemsPerSlice)).slice(1, -1);
      parts.push(part);
      length += part.length;
    }
    fields.push(`${JSON.stringify(name)}:[${parts.join(",")}]`);
  }
  return `{${fields.join(",")}}`;
}
