/** Breaks a text into lines of at most `max` characters, at spaces if possible. An empty text has no lines. */
export function wrapText(text: string, letters: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > letters) {
    const space = rest.lastIndexOf(" ", letters);
    const end = space > letters / 2 ? space : letters;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === "" ? lines : [...lines, rest];
}
