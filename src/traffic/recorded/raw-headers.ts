/** Headers as Node reports them: names and values in turn, as sent. */
export type RawHeaders = readonly string[];

/** Pairs each name with its value. */
export function pairsOf(raw: RawHeaders): [name: string, value: string][] {
  return raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? ""]] : []));
}

/** Collects headers by lower-case name, without the pseudo-headers of HTTP/2; repeated headers are joined with commas, cookies with semicolons (RFC 9110, section 5.3). */
export function headersByName(raw: RawHeaders): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const [spelt, value] of pairsOf(raw)) {
    const name = spelt.toLowerCase();
    if (name.startsWith(":")) continue;
    found[name] = found[name] === undefined ? value : `${found[name]}${name === "cookie" ? "; " : ", "}${value}`;
  }
  return found;
}
