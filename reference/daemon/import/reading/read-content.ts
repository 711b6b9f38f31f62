import { type ContentPart, ContentRefused, type FormatName } from "../content.js";
import type { ImportedNode, RejectedEntry } from "../entry.js";
import { normalized, readEntries } from "../formats/read-entries.js";

export const maxEntries = 500_000;
/** This many cross to another thread within a few milliseconds. */
const entriesPerPart = 500;

/**
 * Decodes the body of a subscription, detects its format and yields its entries in parts. Returns the format; undefined
 * for an empty subscription. Throws a `ContentRefused` if the content is unreadable or exceeds the bounds.
 */
export function* readContent(body: Uint8Array): Generator<ContentPart, FormatName | undefined> {
  const text = normalized(new TextDecoder().decode(body));
  if (text === "") return undefined;
  const found = readEntries(text);
  if (found === undefined) throw new ContentRefused("unknown-format");
  let [nodes, rejected]: [ImportedNode[], RejectedEntry[]] = [[], []];
  let ordinal = 0;
  for (const entry of found.entries) {
    ordinal++;
    if (ordinal > maxEntries) throw new ContentRefused("too-many-entries");
    if (entry.kind === "node") nodes.push({ ordinal, node: entry.node });
    else rejected.push({ ordinal, scheme: entry.scheme, reason: entry.reason });
    if (ordinal % entriesPerPart !== 0) continue;
    yield { nodes, rejected };
    [nodes, rejected] = [[], []];
  }
  yield { nodes, rejected };
  return found.format;
}
