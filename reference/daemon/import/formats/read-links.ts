import type { Entry } from "../entry.js";
import { parseLink } from "../schemes/parse-link.js";

/**
 * Reads the links of lines. Blank lines and comments, in which some panels write headers, are no entries. Undefined in place of a line
 * is a pause.
 */
export function* readLinks(lines: Iterable<string | undefined>): Generator<Entry | undefined> {
  let skipped = 0;
  for (const line of lines) {
    if (line === undefined) yield undefined;
    else if (!blankOrComment.test(line)) yield parseLink(line);
    else if (++skipped % skippedInAStep === 0) yield undefined;
  }
}

const blankOrComment = /^\s*(?:$|#|;|\/\/)/;
const skippedInAStep = 256;
