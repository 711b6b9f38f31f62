/** A word for a POSIX shell: in single quotes when it has to be. */
export function shellWord(word: string): string {
  return /^[\w./:@=+,-]+$/.test(word) ? word : shellQuoted(word);
}

/** A text in single quotes of a POSIX shell, as one word. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
