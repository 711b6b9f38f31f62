import type { Entry } from "./entry.js";
import type { FormatName } from "./formats/format.js";
import { formats } from "./formats/formats.js";

/** Content whose format is known, and its entries, which are read as they are taken. */
export interface Entries {
  readonly format: FormatName;
  readonly entries: Iterable<Entry | undefined>;
}

/**
 * Detects the format of content, as `decodeText` gives it, and reads its entries. Undefined when the content is in no known format.
 * Where no entry is found for long, `entries` gives undefined, so that others can have a turn. Never throws.
 */
export function readEntries(text: string): Entries | undefined {
  for (const { name, open } of formats) {
    const entries = open(text);
    if (entries !== undefined) return { format: name, entries };
  }
  return undefined;
}
