/** The integers of the documents that this process read and JavaScript rounds, such as the bounds of int64, by how it prints them. */
const written = new Map<string, string>();

/** Notes the integers of a file beyond 2^53, of which the parsed file has only the nearest that JavaScript knows. */
export function noteIntegers(text: string): void {
  for (const [integer] of text.matchAll(/(?<![\w.+'"-])-?\d{16,}(?![\w.'"])/g)) {
    const printed = String(Number(integer));
    if (printed !== integer && !written.has(printed)) written.set(printed, integer);
  }
}

/** JSON, YAML or code in which such integers are as their documents have them. Texts in quotes stay as they are. */
export function withExactIntegers(text: string): string {
  if (written.size === 0) return text;
  return text.replace(/"(?:[^"\\\n]|\\.)*"|(?<![\w.])-?\d{16,}(?![\w.])/g, (found) => written.get(found) ?? found);
}
