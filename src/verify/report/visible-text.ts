/**
 * What a terminal or a reader would not see as it is: control characters other than tab and newline, what turns or hides text
 * (bidirectional controls, zero-width characters, tags), separators of lines, lone surrogates.
 */
const invisible = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * A text from a server as it can be shown: what is invisible or steers a terminal is written as `\u{1b}`. Lines end in a newline alone.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A text from a server as it can be shown within a line: newlines and tabs become spaces. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]+/g, " ");
}
