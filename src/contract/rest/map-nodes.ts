/** Copies a JSON value and applies `change` to every object in it, inner objects first. */
export function mapNodes(node: unknown, change: (object: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((child) => mapNodes(child, change));
  if (typeof node !== "object" || node === null) return node;
  return change(Object.fromEntries(Object.entries(node).map(([key, child]) => [key, mapNodes(child, change)])));
}

/** Copies a document without `x-` keys, for tools that do not use them. */
export function withoutExtensions<T extends object>(document: T): T {
  const strip = (node: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(node).filter(([key]) => !key.startsWith("x-")));
  return mapNodes(document, strip) as T;
}
