import type { Entry } from "../../entry.js";
import type { RejectionReason } from "../../rejection.js";
import { longestEntry } from "../../schemes/parse-link.js";
import { anchorsIn } from "./anchors-in.js";
import { cutFlowItems } from "./cut-flow-items.js";
import { type CutItem, cutItems } from "./cut-items.js";
import type { FoundProxies } from "./find-proxies.js";
import { loadYaml } from "./load-yaml.js";
import { proxiesIn } from "./proxies-in.js";
import { readProxy } from "./read-proxy.js";
import { readSimpleFlowItem, readSimpleItem } from "./read-simple-item.js";

/**
 * Reads the items of a list one by one. Where one refers to an anchor in the document, that is found when it stands before the list.
 *
 * An item that is not written as nearly all are goes to the YAML parser, which takes thirty times as long. When that has had its share,
 * the others of this sort are rejected, so that no content takes seconds.
 */
export function* readItems(text: string, { layout, keyLine, start }: FoundProxies): Generator<Entry | undefined> {
  if (layout === "empty") return;
  const isFlow = layout === "flow";
  const readSimple = isFlow ? readSimpleFlowItem : readSimpleItem;
  const anchors = anchorsIn(text.slice(0, keyLine));
  let cost = 0;
  for (const item of isFlow ? cutFlowItems(text, start) : cutItems(text, start)) {
    if (item === undefined) yield undefined;
    else if (item.end - item.start > longestEntry) yield rejected("too-long");
    else {
      const simple = readSimple(text, item.start, item.end);
      if (simple !== undefined) yield readProxy(simple);
      else {
        const document = documentOf(text, item, isFlow, anchors);
        cost += costOfDocument + document.length;
        yield cost > highestCost ? rejected("too-costly") : readProxy(loadItem(document));
      }
    }
  }
}

/** In characters of YAML, of which a parser reads some millions a second. */
const highestCost = 4_000_000;
/** What a parser takes for the shortest document. */
const costOfDocument = 400;

function rejected(reason: RejectionReason): Entry {
  return { kind: "rejected", scheme: "", reason };
}

/** Writes a document with an item alone, and what it may refer to. */
function documentOf(text: string, { start, end }: CutItem, isFlow: boolean, anchors: string): string {
  const item = text.slice(start, end);
  const list = isFlow ? ` [${item}]` : item;
  return anchors !== "" && usesAliases.test(item) ? `${anchors}\nproxies:\n${list}` : list;
}

/** Aliases and merge keys, or what looks like them. */
export const usesAliases = /[-:?[{,][ \t]*\*[^\s*]|<<[ \t]*:/;

function loadItem(document: string): unknown {
  const loaded = loadYaml(document);
  const items = Array.isArray(loaded) ? loaded : proxiesIn(loaded);
  return items?.length === 1 ? items[0] : undefined;
}
