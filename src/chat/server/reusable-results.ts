const reusables = new WeakSet<object>();

/**
 * Marks what a handler answers as never changing, with everything in it: neither it nor an object or a list inside it may be changed
 * from now on. Returns the same object.
 *
 * When a handler answers the same object again, the server sends the text that it made of it the first time. The text of a long
 * answer is made in turns, so that other requests go on meanwhile.
 */
export function reusable<Result extends object>(result: Result): Result {
  reusables.add(result);
  return result;
}

/** Whether a handler's result was marked by `reusable`. */
export function isReusable(result: unknown): result is object {
  return typeof result === "object" && result !== null && reusables.has(result);
}

/** How many items of a list become text at a time, and after how many characters others have a turn. */
const itemsAtOnce = 50;
const maxTurnLength = 256 * 1024;

/**
 * Makes the text that `JSON.stringify` makes of an object, and yields between parts of long lists in it so that others can have a
 * turn. The object must not change meanwhile.
 */
export function* jsonText(body: object): Generator<void, string> {
  const fields: string[] = [];
  let length = 0;
  for (const [name, value] of Object.entries(body)) {
    if (!Array.isArray(value) || value.length <= itemsAtOnce) {
      const field = JSON.stringify({ [name]: value }).slice(1, -1);
      if (field !== "") fields.push(field);
      continue;
    }
    const parts: string[] = [];
    for (let from = 0; from < value.length; from += itemsAtOnce) {
      if (length > maxTurnLength) {
        yield;
        length = 0;
      }
      const part = JSON.stringify(value.slice(from, from + itemsAtOnce)).slice(1, -1);
      parts.push(part);
      length += part.length;
    }
    fields.push(`${JSON.stringify(name)}:[${parts.join(",")}]`);
  }
  return `{${fields.join(",")}}`;
}
