/** Parses a JSON pointer such as `/paths/~1users/get` into its keys (RFC 6901). Ignores a leading `#`. */
export function pointerKeys(pointer: string): string[] {
  return pointer
    .replace(/^#/, "")
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Finds the value at a JSON pointer. Undefined if it does not exist. */
export function valueAt(document: unknown, pointer: string): unknown {
  return pointerKeys(pointer).reduce<unknown>(
    (node, key) =>
      typeof node === "object" && node !== null && Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined,
    document,
  );
}

/** The values at a JSON pointer, in which `*` matches any element or field. */
export function valuesAt(document: unknown, at: string): unknown[] {
  return pointerKeys(at).reduce<unknown[]>(
    (nodes, key) =>
      nodes.flatMap((node) => {
        if (typeof node !== "object" || node === null) return [];
        if (key === "*") return Object.values(node);
        return Object.hasOwn(node, key) ? [Reflect.get(node, key)] : [];
      }),
    [document],
  );
}
