/** A word for a POSIX shell: in single quotes when it has to be. */
export function shellWord(word: string): string {
  return /^[\w./:@=+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
