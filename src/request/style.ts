import { percentDecode } from "../base/percent-decode.js";
import { mayBe, type Parameter, type ValueStyle } from "./operation.js";

/**
 * Arrays and objects as text. Source: OpenAPI 3.1, "Style Values" and "Style Examples"; RFC 6570, section 3.2.
 */

/** A name and a text of a query, form, path, header or cookie, decoded. `raw` is the text as it was sent, if that is known. */
export type SentText = readonly [name: string, text: string, raw?: string | undefined];

/** The texts of a query string. */
export function textsOfQuery(search: string): SentText[] {
  return search.split("&").flatMap((pair): SentText[] => {
    // A question mark at the beginning would be skipped.
    const [[name, text] = []] = new URLSearchParams(`&${pair}`);
    if (name === undefined || text === undefined) return [];
    return [[name, text, pair.slice(pair.indexOf("=") + 1).replaceAll("+", "%20")]];
  });
}

/** A text, a file, or a text of which some characters separate values: the function that it gets escapes the others. */
export type FieldText = string | Blob | ((escapeText: (text: string) => string) => string);

/** What stands for a value under its name, or for an array or object under the names of its members. */
export type StyledField = readonly [name: string, value: FieldText, contentType?: string | undefined];

const separators: Readonly<Record<string, string>> = {
  spaceDelimited: " ",
  pipeDelimited: "|",
  label: ".",
  matrix: ";",
};

/** Whether a style writes each item, or each member, as a field of its own. */
export function isSpread({ name, explode }: ValueStyle): boolean {
  return name === "deepObject" || (explode && (name === "form" || name.endsWith("Delimited")));
}

/** Whether a style says how a value is written: one that nests arrays or objects is left open. Primitive values always can be. */
export function isWritable(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((inner) => typeof inner !== "object" || inner === null);
}

/** Writes a value in the style of its parameter; as JSON if it is an array or object and its parameter is neither. */
export function writeStyled(parameter: Parameter, name: string, value: unknown): readonly StyledField[] {
  const { style } = parameter;
  const isObject = typeof value === "object" && value !== null;
  const isStyled = isObject && mayBe(parameter, Array.isArray(value) ? "array" : "object");
  if (style === undefined || (isObject && !isStyled)) return [[name, isObject ? JSON.stringify(value) : String(value)]];
  return isObject ? writeObject(style, name, value) : [[name, writePrimitive(style, name, String(value))]];
}

function writeObject(style: ValueStyle, name: string, value: object): StyledField[] {
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([key, inner]): [string, string] => [key, String(inner)]);
  if (isSpread(style)) {
    if (style.name === "deepObject" && !isList) return entries.map(([key, text]) => [`${name}[${key}]`, text]);
    return entries.map(([key, text]) => [isList ? name : key, text]);
  }
  const { name: known, explode } = style;
  const isMatrix = known === "matrix";
  const separator = explode || !(known === "label" || isMatrix) ? (separators[known] ?? ",") : ",";
  const pieces = entries.flatMap(([key, text]): Piece[] => {
    if (isList) return [isMatrix && explode ? [name, text] : text];
    return explode ? [[key, text]] : [key, text];
  });
  const prefix = known === "label" ? "." : isMatrix ? (explode ? ";" : `;${name}=`) : "";
  return [[name, delimited(prefix, separator, pieces)]];
}

/** Writes a primitive value: only `label` and `matrix` add to it. */
function writePrimitive({ name: style }: ValueStyle, name: string, text: string): FieldText {
  if (style === "label") return delimited(".", ".", [text]);
  if (style !== "matrix") return text;
  return text === "" ? delimited(`;${name}`, ";", []) : delimited(";", ";", [[name, text]]);
}

/** A value, or a name with one. */
type Piece = string | readonly [key: string, text: string];

/** Joins values so that no character of them separates values. */
function delimited(prefix: string, separator: string, pieces: readonly Piece[]): FieldText {
  return (escapeText) => {
    const own = (text: string) => (separator === "." ? escapeText(text).replaceAll(".", "%2E") : escapeText(text));
    const texts = pieces.map((piece) => (typeof piece === "string" ? own(piece) : piece.map(own).join("=")));
    return `${prefix}${texts.join(separator)}`;
  };
}

/** What the schema says of a styled value. */
export interface Expected {
  readonly isList: boolean;
  /** The names of the members of an object. */
  readonly members: readonly string[];
  /** Whether a text can be an item of the array. Decides between both readings of a text whose separators are percent-encoded. */
  readonly accepts: (item: string) => boolean;
}

/** A styled value, split into its texts; undefined if it was not sent. */
export type SplitValue = readonly string[] | Readonly<Record<string, string>> | undefined;

/** Splits the texts of an array or object. The last text of a repeated name counts, unless the style repeats it. */
export function readStyled(
  style: ValueStyle,
  name: string,
  texts: readonly SentText[],
  expected: Expected,
): SplitValue {
  const own = texts.filter(([key]) => key === name);
  if (isSpread(style)) {
    if (expected.isList) return own.length === 0 ? undefined : own.map(([, text]) => text);
    const spread =
      style.name === "deepObject"
        ? texts.flatMap(([key, text]) =>
            isMemberOf(name, key) ? [[key.slice(name.length + 1, -1), text] as const] : [],
          )
        : texts.filter(([key]) => expected.members.includes(key)).map(([key, text]) => [key, text] as const);
    if (spread.length > 0) return Object.fromEntries(spread);
  }
  const last = own.at(-1);
  if (last === undefined) return undefined;
  const { pieces, decode } = splitText(style, name, last, expected.isList ? expected.accepts : undefined);
  const pairOf = (piece: string) => splitPair(piece).map(decode) as [string, string];
  if (expected.isList)
    return style.name === "matrix" && style.explode ? pieces.map((piece) => pairOf(piece)[1]) : pieces.map(decode);
  const alternating = () =>
    pieces.flatMap((key, i) => (i % 2 === 0 ? [[decode(key), decode(pieces[i + 1] ?? "")] as const] : []));
  return Object.fromEntries(style.explode ? pieces.map(pairOf) : alternating());
}

/** The text of a primitive value without what its style adds. */
export function readPrimitive({ name: style }: ValueStyle, name: string, text: string): string {
  if (style === "label") return text.replace(/^\./, "");
  if (style !== "matrix") return text;
  return text === `;${name}` ? "" : text.startsWith(`;${name}=`) ? text.slice(name.length + 2) : text;
}

/** Whether a field is a member of an object in the style `deepObject`. */
export function isMemberOf(name: string, key: string): boolean {
  return key.startsWith(`${name}[`) && key.endsWith("]");
}

/**
 * Splits at separators that were sent as such. If there are none, many clients percent-encode them: those of a text that cannot be one item
 * count as well.
 */
function splitText(
  style: ValueStyle,
  name: string,
  [, text, raw = text]: SentText,
  accepts?: (item: string) => boolean,
): { readonly pieces: readonly string[]; readonly decode: (piece: string) => string } {
  const { prefix, separator } = delimiters(style, name);
  const asItIs = (piece: string) => piece;
  const [rest, plain] = [raw, text].map((one) => (one.startsWith(prefix) ? one.slice(prefix.length) : one));
  if (rest === undefined || plain === undefined || plain === "") return { pieces: [], decode: asItIs };
  const pieces = rest.split(separator);
  const hasPairs = style.explode && (accepts === undefined || style.name === "matrix");
  const isItem = hasPairs ? rest.includes("=") : accepts?.(plain);
  // Without escapes, both readings are the same.
  if (raw !== text && (pieces.length > 1 || isItem)) return { pieces, decode: percentDecode };
  return { pieces: plain.split(separator), decode: asItIs };
}

function delimiters(
  { name: style, explode }: ValueStyle,
  name: string,
): { readonly prefix: string; readonly separator: string } {
  if (style === "label") return { prefix: ".", separator: explode ? "." : "," };
  if (style === "matrix") return explode ? { prefix: ";", separator: ";" } : { prefix: `;${name}=`, separator: "," };
  return { prefix: "", separator: separators[style] ?? "," };
}

function splitPair(piece: string): readonly [string, string] {
  const at = piece.indexOf("=");
  return at < 0 ? [piece, ""] : [piece.slice(0, at), piece.slice(at + 1)];
}
