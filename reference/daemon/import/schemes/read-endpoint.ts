import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { percentDecode } from "../../../../src/percent-decode.js";
import type { RejectionReason } from "../entry.js";
import type { Settings } from "./link-parameters.js";

/** The host and port of a server. */
export interface Endpoint {
  readonly server: string;
  readonly port: number;
}

/** Reads the host and the port of a link. Without `defaultPort`, the link must have a port. */
export function readEndpoint(
  { host, port }: { readonly host: string; readonly port: string },
  defaultPort?: number,
): Endpoint | RejectionReason {
  if (host === "") return "missing-server";
  const server = readHost(host);
  if (server === undefined) return "invalid-server";
  const number = port === "" ? defaultPort : readPort(port);
  if (number === undefined) return port === "" ? "missing-port" : "invalid-port";
  return { server, port: number };
}

/**
 * Reads the host and the ports of a Hysteria or Mieru link. Several ports may follow the host, or be in the setting
 * `ports`. In the former case they are stored in that setting. Without a port after the host, the first port of the
 * setting is used.
 */
export function readPortRange(
  { host, port }: { readonly host: string; readonly port: string },
  settings: Settings,
  defaultPort?: number,
): Endpoint | RejectionReason {
  const several = port.includes(",") || port.includes("-");
  if (several) settings.ports = port;
  if (settings.ports === undefined) return readEndpoint({ host, port }, defaultPort);
  const first = readPorts(settings.ports);
  const endpoint = readEndpoint({ host, port: several ? "" : port }, first);
  return first === undefined && !isServerProblem(endpoint) ? "invalid-port" : endpoint;
}

function isServerProblem(endpoint: Endpoint | RejectionReason): boolean {
  return endpoint === "missing-server" || endpoint === "invalid-server";
}

/**
 * Reads a list of ports and ranges of ports in the notation of Hysteria, such as `123,5000-6000`. Returns the first
 * port. Undefined if a port is not between 1 and 65535, or a range ends before it begins.
 */
export function readPorts(text: string): number | undefined {
  let first: number | undefined;
  for (const item of text.split(",")) {
    const dash = item.indexOf("-");
    const from = readPort(dash < 0 ? item : item.slice(0, dash));
    const to = dash < 0 ? from : readPort(item.slice(dash + 1));
    if (from === undefined || to === undefined || to < from) return undefined;
    first ??= from;
  }
  return first;
}

/** Reads a port number. Undefined unless it is between 1 and 65535. */
export function readPort(text: string): number | undefined {
  if (!portDigits.test(text)) return undefined;
  const port = Number(text);
  return port >= 1 && port <= 65_535 ? port : undefined;
}

const portDigits = /^\d{1,5}$/;

/**
 * Reads the host of a server: a DNS name, which may be internationalized or contain `_`, an IPv4 address, or an IPv6
 * address with or without brackets. Returns it as written, but percent-decoded and without brackets. Undefined for any
 * other text.
 */
export function readHost(text: string): string | undefined {
  if (text.startsWith("[") && text.endsWith("]")) return readIPv6(text.slice(1, -1));
  if (text.length > maxTextLength) return undefined;
  const host = percentDecode(text);
  if (host.includes(":")) return readIPv6(host);
  return isName(host) || isInternationalName(host) ? host : undefined;
}

/** Maximum length of a DNS name in text form (RFC 1035). */
const maxNameLength = 253;
/** Percent-encoding takes three characters per byte. */
const maxTextLength = maxNameLength * 3;
const maxIPv6Length = 45;

// A name cannot start with a hyphen, and a program could read it as a command-line option.
const dnsName = /^[a-z0-9_][a-z0-9_-]{0,62}(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i;
// Resolvers treat such a name as an address.
const endsInNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/i;
/**
 * Letters, digits, marks and symbols. Checked first, because `domainToASCII` parses the host of a URL and would cut the
 * text at `/` or `\`.
 */
const international = /^[\p{L}\p{N}\p{M}\p{So}._-]+$/u;

function isName(host: string): boolean {
  if (host.length > maxNameLength || !dnsName.test(host)) return false;
  return !endsInNumber.test(host) || isIPv4(host);
}

function isInternationalName(host: string): boolean {
  if (host.length > maxNameLength || isAscii.test(host) || !international.test(host)) return false;
  const ascii = domainToASCII(host);
  return isName(ascii) && !isIPv4(ascii);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII includes them.
const isAscii = /^[\x00-\x7f]*$/;

/** Zones, as in `fe80::1%eth0`, are valid on one machine only. */
function readIPv6(text: string): string | undefined {
  return text.length <= maxIPv6Length && isIPv6(text) && !text.includes("%") ? text : undefined;
}
