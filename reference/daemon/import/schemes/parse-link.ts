import type { Entry, RejectionReason } from "../entry.js";
import type { ProxyNode } from "../proxy-node.js";
import { linkForms, readLink } from "./link-forms.js";
import { readShadowsocks } from "./shadowsocks.js";
import { readShadowsocksR } from "./shadowsocksr.js";
import { readSocks } from "./socks.js";
import { readVmess } from "./vmess.js";

/** Maximum length of an entry in UTF-16 code units. */
export const maxEntryLength = 8192;

/** Parses a share link. Never throws. A rejection contains only the scheme of the line. */
export function parseLink(line: string): Entry {
  const link = line.trim();
  const scheme = schemeOf(link);
  if (link.length > maxEntryLength) return rejected(scheme, "too-long");
  if (scheme === "") return rejected(scheme, "undecodable");
  const parse = parsers.get(scheme);
  if (parse === undefined) return rejected(shownScheme(link.slice(0, scheme.length)), "unknown-scheme");
  const result = parse(link.slice(scheme.length + separator.length));
  return typeof result === "string" ? rejected(scheme, result) : { kind: "node", node: result };
}

interface Scheme {
  /** In lower case, such as `["hysteria2", "hy2"]`. */
  readonly names: readonly string[];
  /** Parses the part after `://` into a node, or returns the reason for rejecting it. Never throws. */
  readonly parse: (rest: string) => ProxyNode | RejectionReason;
}

/** Every known scheme. */
export const schemes: readonly Scheme[] = [
  ...linkForms.map((form): Scheme => ({ names: form.names, parse: (rest) => readLink(rest, form) })),
  { names: ["vmess"], parse: readVmess },
  { names: ["ss"], parse: readShadowsocks },
  { names: ["ssr"], parse: readShadowsocksR },
  { names: ["socks", "socks5"], parse: readSocks },
  // The URL of another subscription. It is never followed, because the author of the list could then choose which hosts
  // this daemon calls.
  { names: ["http", "https"], parse: () => "nested-subscription" },
];

const parsers = new Map(schemes.flatMap(({ names, parse }) => names.map((name) => [name, parse] as const)));

const separator = "://";
const maxSchemeLength = 30;
/** RFC 3986, section 3.1. */
const validScheme = /^[a-z][a-z0-9+.-]*$/i;

/** In lower case; empty if the line does not begin with a scheme. */
function schemeOf(link: string): string {
  const end = link.slice(0, maxSchemeLength + separator.length).indexOf(separator);
  const scheme = link.slice(0, Math.max(end, 0));
  return validScheme.test(scheme) ? scheme.toLowerCase() : "";
}

function rejected(scheme: string, reason: RejectionReason): Entry {
  return { kind: "rejected", scheme, reason };
}

/** A scheme (RFC 3986, section 3.1), or the type of an object that has the form of a scheme. */
const word = /^[a-z0-9][a-z0-9+.-]{0,31}$/i;

/**
 * Returns an unknown scheme or type in lower case, to show it in a rejection. Returns the empty text if it looks like a
 * token: mixed case, more than two digits, or more than one word.
 */
export function shownScheme(text: string): string {
  const isEvenCase = text === text.toLowerCase() || text === text.toUpperCase();
  return word.test(text) && isEvenCase && text.replace(/\D/g, "").length <= 2 ? text.toLowerCase() : "";
}
