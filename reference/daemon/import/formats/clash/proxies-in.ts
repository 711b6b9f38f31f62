import { isFields } from "../objects/fields.js";

/** The list of proxies in a document that was read. Undefined when it is no document of Clash. */
export function proxiesIn(document: unknown): readonly unknown[] | undefined {
  if (!isFields(document)) return undefined;
  const proxies = document.proxies === undefined ? document.Proxy : document.proxies;
  return proxies === null ? [] : Array.isArray(proxies) ? proxies : undefined;
}
