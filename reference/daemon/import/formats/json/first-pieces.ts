import type { JsonPiece } from "./read-json-lists.js";

/**
 * The pieces at the start of a document, by which its format is known: as far as a few elements, or many members or some megabytes of text without.
 */
export function* firstPieces(pieces: Iterable<JsonPiece | undefined>): Generator<JsonPiece> {
  let elements = 0;
  let others = 0;
  for (const piece of pieces) {
    if (piece !== undefined) yield piece;
    if (piece?.kind === "element") elements++;
    else others += piece === undefined ? membersInAStretch : 1;
    if (elements === mostElements || others >= mostMembers) return;
  }
}

const mostElements = 8;
const mostMembers = 1024;
/** A stretch of text without members counts as much as this many. */
const membersInAStretch = 16;
