/**
 * Finds the secrets that a text contains in any spelling: as written, percent-encoded in whole or in part, in base64,
 * in hexadecimal, as JSON escapes, or as UTF-8 that was decoded as Latin-1. Searches the text as it is, and after
 * percent-decoding it once and twice.
 */
export function findLeaks(text: string, secrets: readonly string[]): string[] {
  const readings = [text, percentDecoded(text), percentDecoded(percentDecoded(text))].map((it) => it.toLowerCase());
  return secrets.filter((secret) =>
    spellingsOf(secret).some((spelling) => readings.some((reading) => reading.includes(spelling.toLowerCase()))),
  );
}

/** Spellings of a secret, most of which percent-decoding does not undo. Letter case does not matter. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  const escaped = [...secret].map((character) => {
    return character < "\u0080"
      ? character
      : character
          .split("")
          .map((unit) => `\\u${hex4(unit)}`)
          .join("");
  });
  return [
    secret,
    bytes.toString("latin1"),
    encodeURIComponent(secret),
    // The last base64 characters also depend on the text that follows.
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
