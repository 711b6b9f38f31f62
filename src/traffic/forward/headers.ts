import { randomBytes } from "node:crypto";
import type { RawHeaders } from "../recorded/recorded-exchange.js";

/** Headers that belong to one connection (RFC 9110, section 7.6.1; RFC 9112, section 6.1), besides those that `Connection` names. */
const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
]);

/** Creates the name of one proxy in `Via` (RFC 9110, section 7.6.3). */
export function createOwnName(): string {
  return `accord-${randomBytes(6).toString("hex")}`;
}

/** Lists the headers of a message that a proxy passes on, of those that pass a test by lower-case name, in the same order and spelling. */
export function endToEndHeaders(raw: RawHeaders, passes: (lower: string) => boolean): string[] {
  const named = namedByConnection(raw);
  const headers: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    const lower = name.toLowerCase();
    // Otherwise a client could remove the length of its own body.
    const isOfConnection = connectionHeaders.has(lower) || (lower !== "content-length" && named.includes(lower));
    if (!isOfConnection && passes(lower)) headers.push(name, value);
  }
  return headers;
}

/** Whether a message has a header, given its lower-case name. */
export function has(raw: RawHeaders, lower: string): boolean {
  return raw.some((name, at) => at % 2 === 0 && name.length === lower.length && name.toLowerCase() === lower);
}

function namedByConnection(raw: RawHeaders): string[] {
  const values = raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === "connection");
  return values.flatMap((value) => value.toLowerCase().split(",")).map((option) => option.trim());
}
