/**
 * What a terminal or a reader would not see as it is: control characters other than tab and newline, what turns or hides text
 * (bidirectional controls, zero-width characters, tags), separators of lines, lone surrogates, what is no character.
 */
const invisible = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

/**
 * A text from a server as it can be shown: what is invisible or steers a terminal is written as `\u{1b}`. Lines end in a newline alone.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** As above, with newlines and tabs. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

/** JSON in which every such character is escaped (RFC 8259, section 7). The newlines between its members stay. */
export function escapeJson(json: string): string {
  return json.replace(unprintable, (character) => (character === "\n" ? character : unicodeEscape(character)));
}

/** YAML in which every such character is escaped. They have to stand in double quotes (YAML 1.2.2, section 5.7). */
export function escapeYaml(yaml: string): string {
  return yaml.replace(unprintable, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === "\n") return character;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : unicodeEscape(character);
  });
}

/** Whether a text has such a character other than a newline. */
export function hasUnprintable(text: string): boolean {
  return text.replaceAll("\n", "").search(unprintable) >= 0;
}

/** A text in which every such character other than newline, carriage return and tab is written as `\u009b`. */
export function printableText(text: string): string {
  return text.replace(unprintable, (character) => (/[\t\n\r]/.test(character) ? character : unicodeEscape(character)));
}

/** `\u009b`; two such escapes for a character beyond U+FFFF. */
function unicodeEscape(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** A text from a server as it can be shown within a line: newlines and tabs become spaces. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]+/g, " ");
}
