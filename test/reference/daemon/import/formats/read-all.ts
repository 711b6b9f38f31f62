import type { FormatName } from "../../../../../reference/daemon/import/content.js";
import type { ImportedNode, RejectedEntry } from "../../../../../reference/daemon/import/entry.js";
import { readContent } from "../../../../../reference/daemon/import/reading/read-content.js";

/** The result of reading content. */
export interface WholeContent {
  /** Undefined for an empty subscription. */
  readonly format: FormatName | undefined;
  readonly nodes: readonly ImportedNode[];
  readonly rejected: readonly RejectedEntry[];
}

/** Reads all entries of content. Throws a `ContentRefused`. */
export function readAll(body: string | Buffer): WholeContent {
  const nodes: ImportedNode[] = [];
  const rejected: RejectedEntry[] = [];
  const parts = readContent(Buffer.from(body));
  for (;;) {
    const next = parts.next();
    if (next.done) return { format: next.value, nodes, rejected };
    nodes.push(...next.value.nodes);
    rejected.push(...next.value.rejected);
  }
}
