import { enter, type JsonScan, skip, startScan } from "./scan-json.js";

/** A piece of a JSON document. */
export type JsonPiece = JsonMember | JsonElement;

/** A member of the document, or the document itself, without a name, when it is an array. */
export interface JsonMember {
  readonly kind: "member";
  readonly name: string;
  /** Whether it is an array whose elements come next. */
  readonly isList: boolean;
}

/** An element of the last list, as JSON text. */
export interface JsonElement {
  readonly kind: "element";
  readonly text: string;
  /** Whether it is short and flat enough to be read. */
  readonly isReadable: boolean;
}

/**
 * Finds the members of a JSON document, and the elements of those that are arrays and have one of these names. The elements of a
 * document that is an array are found, too.
 *
 * `JSON.parse` takes hundreds of milliseconds and megabytes for a long document, and one error spoils it. So this looks for strings
 * and brackets alone, leaves each element to `JSON.parse`, and gives undefined after each stretch of text. Text that is no JSON comes
 * out as pieces that are none.
 */
export function* readJsonLists(text: string, names: ReadonlySet<string>): Generator<JsonPiece | undefined> {
  const scan = startScan(text);
  if (enter(scan, "[")) {
    yield { kind: "member", name: "", isList: true };
    yield* readElements(scan);
    return;
  }
  if (!enter(scan, "{")) return;
  do {
    const start = scan.at;
    while (!skip(scan)) yield undefined;
    const end = scan.at;
    if (!enter(scan, ":")) continue;
    const name = nameOf(text.slice(start, Math.min(end, start + longestName)));
    const isList = names.has(name) && enter(scan, "[");
    yield { kind: "member", name, isList };
    if (isList) yield* readElements(scan);
    while (!skip(scan)) yield undefined;
  } while (enter(scan, ","));
}

/** Gives the elements of an array and moves behind its end. */
function* readElements(scan: JsonScan): Generator<JsonPiece | undefined> {
  const { text } = scan;
  do {
    const start = scan.at;
    scan.deepest = 0;
    // A colon has no place between elements, and makes the element that it is in invalid.
    do while (!skip(scan)) yield undefined;
    while (enter(scan, ":"));
    const isReadable = scan.at - start <= longestElement && scan.deepest <= deepestElement;
    const element = text.slice(start, scan.at);
    if (!isReadable || element.trim() !== "") yield { kind: "element", text: element, isReadable };
  } while (enter(scan, ","));
  scan.at++;
}

const longestElement = 64 * 1024;
const deepestElement = 32;
const longestName = 64;

/** The names that are looked for need no escapes, so a name with some is another. */
function nameOf(text: string): string {
  const quoted = text.trim();
  return quoted.length > 1 && quoted.startsWith('"') && quoted.endsWith('"') ? quoted.slice(1, -1) : "";
}
