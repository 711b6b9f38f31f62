/** The UTF-8 bytes of a text, one character for each byte. */
export function utf8Bytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Counts the characters in UTF-8 bytes: continuation bytes are skipped. */
export function countCharacters(bytes: string): number {
  return bytes.replace(/[\x80-\xbf]/g, "").length;
}
