import type { Format } from "../format.js";
import { firstPieces } from "../json/first-pieces.js";
import { readElement } from "../json/read-element.js";
import { readJsonEntries } from "../json/read-json-entries.js";
import { readJsonLists } from "../json/read-json-lists.js";
import { readOutbound } from "./read-outbound.js";

/**
 * The configuration of sing-box, see https://sing-box.sagernet.org/configuration/: a JSON object with `outbounds`, and `endpoints`
 * for WireGuard. Xray's has `outbounds` as well; they have no `type`.
 */
export const singBox: Format = {
  name: "sing-box",
  open: (text) => (isSingBox(text) ? readJsonEntries(readJsonLists(text, lists), readOutbound) : undefined),
};

const lists: ReadonlySet<string> = new Set(["outbounds", "endpoints"]);

function isSingBox(text: string): boolean {
  if (!text.startsWith("{")) return false;
  for (const piece of firstPieces(readJsonLists(text, lists)))
    if (piece.kind === "element" && typeof readElement(piece)?.type === "string") return true;
  return false;
}
