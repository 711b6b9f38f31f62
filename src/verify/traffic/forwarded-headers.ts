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

/** Lists the headers of a message that a proxy passes on, in the same order and spelling. */
export function endToEndHeaders(raw: RawHeaders): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  let named: Set<string> | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    pairs.push([name, value]);
    if (!isConnection(name)) continue;
    named ??= new Set();
    for (const option of value.split(",")) named.add(option.trim().toLowerCase());
  }
  return pairs.filter(([name]) => {
    const lower = name.toLowerCase();
    // A client must not be able to remove the length of its own body.
    return !connectionHeaders.has(lower) && (named?.has(lower) !== true || lower === "content-length");
  });
}

function isConnection(name: string): boolean {
  return name.length === 10 && name.toLowerCase() === "connection";
}

/** Collects headers by lower-case name; repeated headers are joined with commas, cookies with semicolons (RFC 9110, section 5.3). */
export function headersByName(raw: RawHeaders): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value = ""] = [(raw[at] ?? "").toLowerCase(), raw[at + 1]];
    const earlier = found[name];
    found[name] = earlier === undefined ? value : `${earlier}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return found;
}
