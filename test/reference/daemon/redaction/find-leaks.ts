/**
 * The secrets that a text shows in some spelling: as it is, percent-encoded in whole or in part, in base64, in hexadecimal, as
 * JSON writes it, or as UTF-8 that was read as Latin-1. The text is looked at as it is and percent-decoded.
 */
export function findLeaks(text: string, secrets: readonly string[]): string[] {
  const readings = [text, percentDecoded(text), percentDecoded(percentDecoded(text))].map((it) => it.toLowerCase());
  return secrets.filter((secret) =>
    spellingsOf(secret).some((spelling) => readings.some((reading) => reading.includes(spelling.toLowerCase()))),
  );
}

/** The spellings that percent-decoding does not undo. Letter case is not looked at. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const escaped = [...secret].map((character) => {
    return character < "\u0080" ? character : [...character].map((unit) => `\\u${hex4(unit)}`).join("");
  });
  return [
    secret,
    bytes.toString("latin1"),
    encodeURIComponent(secret),
    // Where the rest follows without a gap, the last characters of base64 differ.
    ...[bytes.toString("base64"), bytes.toString("base64url")].map((text) => text.replace(/=+$/, "").slice(0, -1)),
    bytes.toString("hex"),
    escaped.join(""),
    JSON.stringify(secret).slice(1, -1),
  ];
}

function hex4(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, "0");
}

function percentDecoded(text: string): string {
  const decoded = text.replace(/(%[0-9a-f]{2})+/gi, (codes) =>
    Buffer.from(codes.replaceAll("%", ""), "hex").toString("utf8"),
  );
  return decoded.replaceAll("+", " ");
}
