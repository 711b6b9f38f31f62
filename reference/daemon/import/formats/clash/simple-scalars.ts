/** Where reading stands. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** Moves past what a sticky pattern matches. Gives its group, or undefined when it does not match. */
export function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const match = pattern.exec(cursor.text);
  if (match === null) return undefined;
  cursor.at = pattern.lastIndex;
  return match[1] ?? match[2] ?? "";
}

/** Moves past one character, if it comes next. */
export function takeOne(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at++;
  return true;
}

/** Reads a scalar on one line, and the spaces behind it. Undefined for any other. */
export function readScalar(cursor: Cursor): string | null | undefined {
  const double = take(cursor, doubleQuoted);
  if (double !== undefined) return double.includes("\\") ? double.replace(escapes, characterOf) : double;
  const single = take(cursor, singleQuoted);
  if (single !== undefined) return single.replaceAll("''", "'");
  const plain = take(cursor, plainScalar);
  return plain !== undefined && isNull(plain) ? null : plain;
}

/** Whether a plain scalar, or a plain key, means null. */
export function isNull(plain: string): boolean {
  return plain === "null" || plain === "Null" || plain === "NULL";
}

/** Undoes an escape (YAML 1.2, section 5.7). JSON writes a character as two `\u`, which come together by themselves. */
function characterOf(_: string, x?: string, u?: string, long?: string, character = ""): string {
  const code = x ?? u ?? long;
  if (code === undefined) return characters.get(character) ?? character;
  return String.fromCodePoint(Number.parseInt(code, 16));
}

/** What is not its own escape, of the common ones. */
const characters: ReadonlyMap<string, string> = new Map(
  Object.entries({ "0": "\0", b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", _: "\u00a0" }),
);

/** Characters beyond ASCII that mean nothing in YAML. */
const foreign = "\\u00a1-\\u1fff\\u2030-\\ufdff\\ufe0f\\uff01-\\uffef";
/** What plain scalars begin with, and go on with: nothing that means something to YAML in some place. */
const first = `[\\w./+$(${foreign}]`;
const later = `[\\w./+$()=@|~!%&*<>?^;'"${foreign}-]`;

const plainScalar = new RegExp(`(${first}(?:(?:${later}| )*${later})?) *`, "y");
const inQuotes = `[ !#-\\[\\]-~${foreign}]*`;
const escapeSequence = '\\\\(?:["/\\\\ 0btnfr_]|x[\\da-fA-F]{2}|u[\\da-fA-F]{4}|U00(?:0[\\da-fA-F]|10)[\\da-fA-F]{4})';
const doubleQuoted = new RegExp(`"(${inQuotes}(?:${escapeSequence}${inQuotes})*)" *`, "y");
const escapes = /\\(?:x(..)|u(.{4})|U(.{8})|(.))/g;
const inSingleQuotes = `[ -&(-~${foreign}]*`;
const singleQuoted = new RegExp(`'(${inSingleQuotes}(?:''${inSingleQuotes})*)' *`, "y");
