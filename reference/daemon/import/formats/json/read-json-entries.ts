import type { Entry } from "../../entry.js";
import type { Fields } from "../objects/fields.js";
import { readElement } from "./read-element.js";
import type { JsonElement, JsonPiece } from "./read-json-lists.js";

/** How an object becomes an entry: undefined when it is none. */
type ReadFields = (fields: Fields) => Entry | undefined;

/** `JSON.parse` takes far longer to refuse a text than to read one; content where so many are broken is not worth it. */
const mostBroken = 20_000;

/** Reads the elements of lists as entries. After very many that are broken, the others are rejected unread. */
export function* readJsonEntries(
  pieces: Iterable<JsonPiece | undefined>,
  read: ReadFields,
): Generator<Entry | undefined> {
  let broken = 0;
  for (const piece of pieces) {
    if (piece?.kind !== "element") yield undefined;
    else if (broken >= mostBroken) yield { kind: "rejected", scheme: "", reason: "too-costly" };
    else {
      const fields = readElement(piece);
      if (fields === undefined) broken++;
      yield fields === undefined
        ? { kind: "rejected", scheme: "", reason: "undecodable" }
        : readEntry(piece, fields, read);
    }
  }
}

function readEntry(element: JsonElement, fields: Fields, read: ReadFields): Entry | undefined {
  const entry = read(fields);
  return element.isReadable || entry?.kind !== "rejected" ? entry : { ...entry, reason: "too-long" };
}
