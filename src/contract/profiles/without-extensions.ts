import { mapNodes } from "../map-nodes.js";

/** A copy of a document without our `x-` keys, for tools that have no use for them. */
export function withoutExtensions<T extends object>(document: T): T {
  const strip = (node: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(node).filter(([key]) => !key.startsWith("x-")));
  return mapNodes(document, strip) as T;
}
