/** The keys of a JSON pointer such as `/paths/~1users/get`; `#` in front is left out. Source: RFC 6901. */
export function pointerKeys(pointer: string): string[] {
  return pointer
    .replace(/^#/, "")
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value that a JSON pointer leads to; undefined when it leads to nothing. */
export function valueAt(document: unknown, pointer: string): unknown {
  return pointerKeys(pointer).reduce<unknown>(
    (node, key) =>
      typeof node === "object" && node !== null && Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined,
    document,
  );
}
