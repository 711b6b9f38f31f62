import type { Format } from "../format.js";
import { firstPieces } from "../json/first-pieces.js";
import { readElement } from "../json/read-element.js";
import { readJsonEntries } from "../json/read-json-entries.js";
import { readJsonLists } from "../json/read-json-lists.js";
import { type Fields, textOf } from "../objects/fields.js";
import { readServer } from "./read-server.js";

/**
 * SIP008, see https://shadowsocks.org/doc/sip008.html: a JSON object with `version` and `servers`. The list of servers alone will do,
 * too.
 */
export const sip008: Format = {
  name: "sip008",
  open: (text) => (isSip008(text) ? readJsonEntries(readJsonLists(text, lists), readServer) : undefined),
};

const lists: ReadonlySet<string> = new Set(["servers"]);

/** Keys may be sorted, so that `version` comes last. Then the servers show what they are. */
function isSip008(text: string): boolean {
  const members = new Set<string>();
  for (const piece of firstPieces(readJsonLists(text, lists))) {
    if (piece.kind === "element" && isServer(readElement(piece))) return true;
    if (piece.kind === "member" && (piece.name === "version" || piece.isList)) members.add(piece.name);
    if (members.has("version") && members.has("servers")) return true;
  }
  return false;
}

function isServer(fields: Fields = {}): boolean {
  return textOf(fields, "server") !== "" && textOf(fields, "method") !== "";
}
