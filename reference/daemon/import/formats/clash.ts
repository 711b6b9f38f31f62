import type { Entry } from "../entry.js";
import { proxyTypes } from "./clash-proxy.js";
import { readObjects, readTyped } from "./draft.js";
import { isFields } from "./fields.js";

/**
 * Reads the configuration of Clash and Mihomo (https://wiki.metacubex.one/en/config/): an object with a list `proxies`,
 * or `Proxy` in older versions. Undefined for any other document.
 */
export function readClash(document: unknown): Iterable<Entry> | undefined {
  const proxies = proxiesIn(document);
  return proxies === undefined ? undefined : readObjects(proxies, (proxy) => readTyped(proxy, proxyTypes));
}

/** The list of proxies in a document; undefined if it is not a Clash document. */
export function proxiesIn(document: unknown): readonly unknown[] | undefined {
  if (!isFields(document)) return undefined;
  const proxies = document.proxies === undefined ? document.Proxy : document.proxies;
  return proxies === null ? [] : Array.isArray(proxies) ? proxies : undefined;
}
