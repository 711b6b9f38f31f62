/** Writes a word for a POSIX shell, in single quotes if it needs them. */
export function shellWord(word: string): string {
  return /^[\w./:@=+,-]+$/.test(word) ? word : shellQuoted(word);
}

/** Writes a word for a POSIX shell in single quotes. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
