import { randomBytes } from "node:crypto";

/** Headers as Node reports them: names and values in turn, as sent. */
export type RawHeaders = readonly string[];

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

/** Lower-case names by spelling. A proxy sees few spellings, and lower-casing each header takes a tenth of its time. */
const lowerCased = new Map<string, string>();
const maxSpellings = 1_000;

function lowerCase(name: string): string {
  const known = lowerCased.get(name);
  if (known !== undefined) return known;
  if (lowerCased.size >= maxSpellings) lowerCased.clear();
  const lower = name.toLowerCase();
  lowerCased.set(name, lower);
  return lower;
}

/** Creates the name of one proxy in `Via` (RFC 9110, section 7.6.3). */
export function createOwnName(): string {
  return `accord-${randomBytes(6).toString("hex")}`;
}

/** Whether a message has already passed the proxy of a name. */
export function hasPassed(via: string | undefined, ownName: string): boolean {
  return via?.includes(ownName) === true;
}

/** Returns the value to forward for a header, given its lower-case name. Undefined drops the header. */
export type PassOn = (lower: string, value: string) => string | undefined;

/** Lists the headers of a message that a proxy passes on, names and values in turn, in the same order and spelling. */
export function endToEndHeaders(raw: RawHeaders, passOn: PassOn): string[] {
  const headers: string[] = [];
  const named = namedByConnection(raw);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    const lower = lowerCase(name);
    // Otherwise a client could remove the length of its own body.
    if (connectionHeaders.has(lower) || (named?.has(lower) === true && lower !== "content-length")) continue;
    const passed = passOn(lower, value);
    if (passed !== undefined) headers.push(name, passed);
  }
  return headers;
}

/** The names in `Connection` headers. Undefined if there are none but `keep-alive` and `close`. */
function namedByConnection(raw: RawHeaders): ReadonlySet<string> | undefined {
  let named: Set<string> | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const value = raw[at + 1] ?? "";
    if (value === "keep-alive" || value === "close" || lowerCase(raw[at] ?? "") !== "connection") continue;
    named ??= new Set();
    for (const option of value.split(",")) named.add(option.trim().toLowerCase());
  }
  return named;
}

/** Collects headers by lower-case name; repeated headers are joined with commas, cookies with semicolons (RFC 9110, section 5.3). */
export function headersByName(raw: RawHeaders): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value = ""] = [lowerCase(raw[at] ?? ""), raw[at + 1]];
    const earlier = found[name];
    found[name] = earlier === undefined ? value : `${earlier}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return found;
}
