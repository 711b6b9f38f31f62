import type { FormatName } from "../../../../../reference/daemon/import/formats/format.js";
import type { ImportedNode, RejectedEntry } from "../../../../../reference/daemon/import/import-subscription.js";
import { readEntries } from "../../../../../reference/daemon/import/read-entries.js";

/** What is read from content. */
export interface ReadContent {
  readonly format: FormatName;
  readonly nodes: readonly ImportedNode[];
  readonly rejected: readonly RejectedEntry[];
  /** How many steps found nothing. */
  readonly pauses: number;
}

/** Reads all entries of content. Undefined when it is in no known format. */
export function readAll(text: string): ReadContent | undefined {
  const found = readEntries(text);
  if (found === undefined) return undefined;
  const nodes: ImportedNode[] = [];
  const rejected: RejectedEntry[] = [];
  let pauses = 0;
  for (const entry of found.entries) {
    const ordinal = nodes.length + rejected.length + 1;
    if (entry === undefined) pauses++;
    else if (entry.kind === "node") nodes.push({ ordinal, node: entry.node });
    else rejected.push({ ordinal, scheme: entry.scheme, reason: entry.reason });
  }
  return { format: found.format, nodes, rejected, pauses };
}
