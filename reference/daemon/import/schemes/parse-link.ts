import type { Entry } from "../entry.js";
import type { RejectionReason } from "../rejection.js";
import { schemes } from "./schemes.js";
import { shownScheme } from "./shown-scheme.js";

/** The longest entry that is read, in UTF-16 code units. */
export const longestEntry = 8192;

/** Reads a share link. It never throws, and a rejection holds nothing of the line but its scheme. */
export function parseLink(line: string): Entry {
  const link = line.trim();
  const scheme = schemeOf(link);
  if (link.length > longestEntry) return rejected(scheme, "too-long");
  if (scheme === "") return rejected(scheme, "undecodable");
  const parse = parsers.get(scheme);
  if (parse === undefined) return rejected(shownScheme(link.slice(0, scheme.length)), "unknown-scheme");
  const result = parse(link.slice(scheme.length + separator.length));
  return typeof result === "string" ? rejected(scheme, result) : { kind: "node", node: result };
}

const parsers = new Map(schemes.flatMap(({ names, parse }) => names.map((name) => [name, parse] as const)));

const separator = "://";
const longestScheme = 30;
/** RFC 3986, section 3.1. */
const validScheme = /^[a-z][a-z0-9+.-]*$/i;

/** In lower case; empty when the line does not begin with a scheme. */
function schemeOf(link: string): string {
  const end = link.slice(0, longestScheme + separator.length).indexOf(separator);
  const scheme = link.slice(0, Math.max(end, 0));
  return validScheme.test(scheme) ? scheme.toLowerCase() : "";
}

function rejected(scheme: string, reason: RejectionReason): Entry {
  return { kind: "rejected", scheme, reason };
}
