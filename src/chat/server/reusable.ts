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
