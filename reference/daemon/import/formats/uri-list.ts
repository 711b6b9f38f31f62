import type { Format } from "./format.js";
import { hasLink } from "./has-link.js";
import { readLinks } from "./read-links.js";

/** Share links, one in each line. */
export const uriList: Format = {
  name: "uri-list",
  open: (text) => (hasLink(text) ? readLinks(linesOf(text)) : undefined),
};

function* linesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    yield text.slice(start, end);
    start = end + 1;
  }
}
