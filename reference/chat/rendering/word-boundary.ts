/** Whether a text ends in a letter, a digit or an underscore. */
export function endsInWord(text: string): boolean {
  return /[\p{L}\p{N}_]$/u.test(text.slice(-2));
}

/** Whether a text begins with a letter, a digit or an underscore. */
export function beginsWithWord(text: string): boolean {
  return /^[\p{L}\p{N}_]/u.test(text.slice(0, 2));
}
