import type { FormatName } from "../../../../../reference/daemon/import/content.js";
import type { ImportedNode, RejectedEntry } from "../../../../../reference/daemon/import/entry.js";
import { readEntries } from "../../../../../reference/daemon/import/formats/read-entries.js";

/** The result of reading content. */
export interface ReadContent {
  readonly format: FormatName;
  readonly nodes: readonly ImportedNode[];
  readonly rejected: readonly RejectedEntry[];
}

/** Reads all entries of content. Undefined if the format is unknown. */
export function readAll(text: string): ReadContent | undefined {
  const found = readEntries(text);
  if (found === undefined) return undefined;
  const nodes: ImportedNode[] = [];
  const rejected: RejectedEntry[] = [];
  for (const entry of found.entries) {
    const ordinal = nodes.length + rejected.length + 1;
    if (entry.kind === "node") nodes.push({ ordinal, node: entry.node });
    else rejected.push({ ordinal, scheme: entry.scheme, reason: entry.reason });
  }
  return { format: found.format, nodes, rejected };
}
