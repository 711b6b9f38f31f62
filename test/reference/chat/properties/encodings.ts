/** Ways to encode a text in a query, a path or a form; all but the first are wrong. */
export const spellings = ["encoded", "twice", "raw", "invalid UTF-8", "broken percent"] as const;
export type Spelling = (typeof spellings)[number];

/** Encodes a text in one of these ways. */
export function spell(value: string, spelling: Spelling, place: "head" | "body"): string {
  switch (spelling) {
    case "encoded":
      return percentEncoded(value);
    case "twice":
      return percentEncoded(percentEncoded(value));
    case "raw":
      // White space would break the request line, which is another fault.
      return place === "body" ? value : value.replace(/[\s\p{Cc}]/gu, "");
    case "invalid UTF-8":
      return `${percentEncoded(value)}%C3%28%FF%FE%F0%80%80%80`;
    case "broken percent":
      return `${percentEncoded(value)}%zz%4`;
  }
}

/** Percent-encodes UTF-8, with each lone surrogate as three bytes. */
export function percentEncoded(value: string): string {
  return value.replace(/[^A-Za-z0-9_.~-]/gu, (character) => {
    const point = character.codePointAt(0) ?? 0;
    const bytes =
      point >= 0xd800 && point <= 0xdfff
        ? [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)]
        : [...Buffer.from(character)];
    return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  });
}
