import type { Entry } from "../../entry.js";
import type { Format } from "../format.js";
import { firstPieces } from "../json/first-pieces.js";
import { readJsonEntries } from "../json/read-json-entries.js";
import { readJsonLists } from "../json/read-json-lists.js";
import { findProxies } from "./find-proxies.js";
import { loadYaml } from "./load-yaml.js";
import { proxiesIn } from "./proxies-in.js";
import { readItems, usesAliases } from "./read-items.js";
import { readProxy } from "./read-proxy.js";

/**
 * The configuration of Clash and Mihomo, see https://wiki.metacubex.one/en/config/: YAML with a list `proxies`, in older versions
 * `Proxy`.
 *
 * A YAML parser takes seconds and half a gigabyte for a long document, and one error spoils it. So a list in a usual layout is cut into
 * items, which are read one by one. Short documents are read as a whole when the list is in another layout, or when there are aliases:
 * what they refer to may stand anywhere before.
 */
export const clash: Format = { name: "clash", open };

function open(text: string): Iterable<Entry | undefined> | undefined {
  const found = findProxies(text);
  const isUsual = found?.layout === "block";
  if (text.length <= longestDocument && (isUsual ? usesAliases.test(text) : mentionsProxies.test(text))) {
    const proxies = proxiesIn(loadYaml(text));
    if (proxies !== undefined) return readAll(proxies);
  }
  if (found !== undefined) return readItems(text, found);
  return isJsonDocument(text) ? readJsonEntries(readJsonLists(text, lists), readProxy) : undefined;
}

/** Of a document that is read as a whole. */
const longestDocument = 64 * 1024;
const mentionsProxies = /proxies|Proxy/;

/** JSON is YAML, too. */
function isJsonDocument(text: string): boolean {
  if (!text.startsWith("{") || text.length <= longestDocument) return false;
  for (const piece of firstPieces(readJsonLists(text, lists))) if (piece.kind === "member" && piece.isList) return true;
  return false;
}

const lists: ReadonlySet<string> = new Set(["proxies", "Proxy"]);

function* readAll(proxies: readonly unknown[]): Generator<Entry | undefined> {
  for (const proxy of proxies) yield readProxy(proxy);
}
