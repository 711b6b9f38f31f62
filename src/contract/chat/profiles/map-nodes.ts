/** A copy of a JSON value in which every object, the inner ones first, is what `change` makes of it. */
export function mapNodes(node: unknown, change: (object: Record<string, unknown>) => Record<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((child) => mapNodes(child, change));
  if (typeof node !== "object" || node === null) return node;
  return change(Object.fromEntries(Object.entries(node).map(([key, child]) => [key, mapNodes(child, change)])));
}

/** A copy of a document without our `x-` keys, for tools that have no use for them. */
export function withoutExtensions<T extends object>(document: T): T {
  const strip = (node: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(node).filter(([key]) => !key.startsWith("x-")));
  return mapNodes(document, strip) as T;
}
