import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { percentDecode } from "./percent-decode.js";

/**
 * Reads the name or address of a server: a DNS name, also an internationalized one or one with `_`, an IPv4 address, or an IPv6
 * address with brackets or without. It comes back as it was written, percent-decoded and without brackets. Undefined when it is
 * none of these.
 */
export function readHost(text: string): string | undefined {
  if (text.startsWith("[") && text.endsWith("]")) return readIPv6(text.slice(1, -1));
  if (text.length > longestText) return undefined;
  const host = percentDecode(text);
  if (host.includes(":")) return readIPv6(host);
  return isName(host) || isInternationalName(host) ? host : undefined;
}

/** Of a DNS name (RFC 1035), written out. */
const longestName = 253;
/** Percent-encoding writes one byte in three characters. */
const longestText = longestName * 3;
const longestIPv6 = 45;

// A hyphen at the start is no name, and would be an option where a program takes the name as an argument.
const name = /^[a-z0-9_][a-z0-9_-]{0,62}(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i;
// Resolvers take such a name for an address.
const endsInNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i;
/** Letters, digits, marks and pictures. `domainToASCII` reads a URL's host, so it would take what stands before a `/` or `\`. */
const international = /^[\p{L}\p{N}\p{M}\p{So}._-]+$/u;

function isName(host: string): boolean {
  if (host.length > longestName || !name.test(host)) return false;
  return !endsInNumber.test(host) || isIPv4(host);
}

function isInternationalName(host: string): boolean {
  if (host.length > longestName || isAscii.test(host) || !international.test(host)) return false;
  const ascii = domainToASCII(host);
  return isName(ascii) && !isIPv4(ascii);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what ASCII is.
const isAscii = /^[\x00-\x7f]*$/;

/** Zones, as in `fe80::1%eth0`, mean something only on one machine. */
function readIPv6(text: string): string | undefined {
  return text.length <= longestIPv6 && isIPv6(text) && !text.includes("%") ? text : undefined;
}
