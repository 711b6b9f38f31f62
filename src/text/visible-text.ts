/**
 * Matches what terminals or readers cannot see: control characters other than tab and newline, characters that reorder or hide text
 * (bidirectional controls, zero-width characters, tags), line separators, lone surrogates, noncharacters.
 */
const invisible = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

/**
 * Makes a text from a server safe to show: invisible characters, and those that control a terminal, become `\u{1b}`. Line endings become
 * newlines.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(invisible, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for the content and the attributes of HTML, or other characters as references of HTML and XML. */
export function escapeMarkup(text: string, special = /[&<>"']/g): string {
  return text.replace(special, (character) => entities[character] ?? `&#${character.charCodeAt(0)};`);
}

/** Matches the same characters, and newlines and tabs. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufffe\uffff]/gu;

/** Escapes every unprintable character of JSON (RFC 8259, section 7), except the newlines between members. */
export function escapeJson(json: string): string {
  return json.replace(unprintable, (character) => (character === "\n" ? character : unicodeEscape(character)));
}

/** Escapes every unprintable character of YAML. Expects them in double quotes (YAML 1.2.2, section 5.7). */
export function escapeYaml(yaml: string): string {
  return yaml.replace(unprintable, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (character === "\n") return character;
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : unicodeEscape(character);
  });
}

/** Whether a text has an unprintable character other than a newline. */
export function hasUnprintable(text: string): boolean {
  return text.replaceAll("\n", "").search(unprintable) >= 0;
}

/** Escapes every unprintable character, other than newline, carriage return and tab, in the form `\u009b`. */
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

/** Makes a text from a server safe to show within a line: newlines and tabs become spaces. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]+/g, " ");
}

/** Matches what the runner of GitHub Actions takes for a command: `::` at the start of a line, and `##[` anywhere. */
const command = /^(\s*)::|##\[/gm;

/** Whether a text in a log of GitHub Actions would be taken for a command. */
export function isCommand(text: string): boolean {
  return text.search(command) >= 0;
}

/** Makes a message that may quote anybody safe to show, in a terminal as in a log of GitHub Actions. */
export function visibleMessage(text: string): string {
  return visibleText(text).replace(command, (found, indent = "") =>
    found === "##[" ? "#\\u{23}[" : `${indent}\\u{3a}:`,
  );
}

/** Writes a value as JSON of several lines that is safe to show. */
export function prettyJson(value: unknown): string {
  return escapeJson(JSON.stringify(value, null, 2)).replaceAll("##[", "\\u0023#[");
}
