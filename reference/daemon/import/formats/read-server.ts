import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";

/** Maximum length of a DNS name in text form (RFC 1035). */
const maxNameLength = 253;
/** Checked first, because `domainToASCII` parses the host of a URL and would cut the text at `/` or `\`. */
const letters = /^[\p{L}\p{N}\p{M}\p{So}._-]+$/u;
// A name cannot start with a hyphen, and a program could read it as a command-line option.
const dnsName = /^[a-z0-9_][a-z0-9_-]{0,62}(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i;

/**
 * Reads the server of a node: a DNS name, which may be internationalized or contain `_`, an IPv4 address, or an IPv6
 * address with or without brackets. Returns it as written, but without brackets. Undefined for any other text.
 */
export function readServer(text: string): string | undefined {
  const address = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  // Zones, as in `fe80::1%eth0`, are valid on one machine only.
  if (isIPv6(address)) return address.includes("%") ? undefined : address;
  if (text.length > maxNameLength || !letters.test(text)) return undefined;
  const name = domainToASCII(text);
  // Resolvers treat `127.1` and `0x7f.1` as addresses.
  const isOtherIPv4 = isIPv4(name.replace(/\.$/, "")) && !isIPv4(text);
  return name.length <= maxNameLength && dnsName.test(name) && !isOtherIPv4 ? text : undefined;
}

/**
 * Reads a port between 1 and 65535. With ranges, reads a list of ports and ranges, such as `123,5000-6000`, and returns
 * its first port. Undefined for any other text.
 */
export function readPort(text: string, hasRanges = false): number | undefined {
  if (!hasRanges) return portOf(text);
  const ranges = text.split(/[,/]/).map((range) => range.split(/[-:]/).map(portOf));
  const isValid = ranges.every(([from = 0, to = from, ...more]) => from > 0 && from <= to && more.length === 0);
  return isValid && !ranges.flat().includes(undefined) ? ranges[0]?.[0] : undefined;
}

function portOf(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}
