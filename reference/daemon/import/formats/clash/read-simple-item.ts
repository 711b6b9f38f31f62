import type { Fields } from "../objects/fields.js";
import { type Cursor, isNull, readScalar, take, takeOne } from "./simple-scalars.js";

/**
 * Reads an item of a sequence as `loadYaml` would, when it is written as nearly all are: a mapping on one line or one key in each line,
 * values that are plain or in quotes. Undefined for everything else. It takes a fraction of the time.
 */
export function readSimpleItem(text: string, start: number, end: number): Fields | undefined {
  const cursor: Cursor = { text, at: start };
  const beforeKey = take(cursor, dash);
  if (beforeKey === undefined) return undefined;
  const isFlow = takeOne(cursor, "{");
  const fields = isFlow ? readFlow(cursor, 1) : readBlock(cursor, end, beforeKey.length, 1);
  take(cursor, blank);
  return cursor.at >= end ? fields : undefined;
}

/** The same for an item of a sequence in brackets: a mapping in braces. */
export function readSimpleFlowItem(text: string, start: number, end: number): Fields | undefined {
  const cursor: Cursor = { text, at: start };
  take(cursor, blank);
  const fields = takeOne(cursor, "{") ? readFlow(cursor, 1) : undefined;
  take(cursor, blank);
  return cursor.at >= end ? fields : undefined;
}

type Value = string | null | Fields | readonly Value[];
type MutableFields = Record<string, Value>;

const deepest = 8;

const name = "([a-zA-Z][\\w-]{0,62})";
const dash = /( *- +)/y;
const blank = /[ \n]*/y;
const spaces = /( *)/y;
const lineEnd = / *(?:\n|$)/y;
const blockKey = new RegExp(`${name}:(?=[ \\n]|$) *`, "y");
const flowKey = new RegExp(` *(?:${name}:(?= )|"${name}":) *`, "y");

/** Reads a mapping in braces, of which the first is behind. */
function readFlow(cursor: Cursor, depth: number): Fields | undefined {
  const fields: MutableFields = {};
  do {
    const key = take(cursor, flowKey);
    const value = key === undefined ? undefined : readValue(cursor, depth);
    if (key === undefined || value === undefined || !add(fields, key, value)) return undefined;
  } while (takeOne(cursor, ","));
  return takeOne(cursor, "}") ? fields : undefined;
}

/** Reads a list in brackets, of which the first is behind. */
function readFlowList(cursor: Cursor, depth: number): readonly Value[] | undefined {
  const values: Value[] = [];
  do {
    take(cursor, spaces);
    const value = readValue(cursor, depth);
    if (value === undefined) return undefined;
    values.push(value);
  } while (takeOne(cursor, ","));
  return takeOne(cursor, "]") ? values : undefined;
}

/** Reads a value on one line, and the spaces behind it. */
function readValue(cursor: Cursor, depth: number): Value | undefined {
  const isMapping = takeOne(cursor, "{");
  if (!isMapping && !takeOne(cursor, "[")) return readScalar(cursor);
  if (depth === deepest) return undefined;
  const value = isMapping ? readFlow(cursor, depth + 1) : readFlowList(cursor, depth + 1);
  take(cursor, spaces);
  return value;
}

/** Reads a mapping whose keys stand in one column of their lines, up to a line with less indentation. */
function readBlock(cursor: Cursor, end: number, column: number, depth: number): Fields | undefined {
  const fields: MutableFields = {};
  for (;;) {
    const key = take(cursor, blockKey);
    if (key === undefined) return undefined;
    const isNested = take(cursor, lineEnd) !== undefined;
    const value = isNested ? readNested(cursor, end, column, depth) : readValue(cursor, depth);
    if (value === undefined || !add(fields, key, value)) return undefined;
    if (!isNested && take(cursor, lineEnd) === undefined) return undefined;
    const indentation = indentationAt(cursor);
    if (cursor.at >= end || indentation < column) return fields;
    if (indentation > column) return undefined;
    cursor.at += indentation;
  }
}

/** Reads what stands in the lines below a key: a mapping with more indentation, or a list of scalars. */
function readNested(cursor: Cursor, end: number, column: number, depth: number): Value | undefined {
  const indentation = indentationAt(cursor);
  if (cursor.at >= end || indentation < column || depth === deepest) return undefined;
  if (cursor.text[cursor.at + indentation] === "-") return readBlockList(cursor, end, indentation);
  if (indentation === column) return undefined;
  cursor.at += indentation;
  return readBlock(cursor, end, indentation, depth + 1);
}

function readBlockList(cursor: Cursor, end: number, column: number): readonly Value[] | undefined {
  const values: Value[] = [];
  do {
    if (take(cursor, dash) === undefined) return undefined;
    const value = readScalar(cursor);
    if (value === undefined || take(cursor, lineEnd) === undefined) return undefined;
    values.push(value);
  } while (cursor.at < end && indentationAt(cursor) === column && cursor.text[cursor.at + column] === "-");
  return cursor.at < end && indentationAt(cursor) > column ? undefined : values;
}

function indentationAt({ text, at }: Cursor): number {
  let end = at;
  while (text[end] === " ") end++;
  return end - at;
}

/** False when the key is there already, which is an error in YAML, or null, or `constructor` and the like, which are not worth it. */
function add(fields: MutableFields, key: string, value: Value): boolean {
  if (key in fields || isNull(key)) return false;
  fields[key] = value;
  return true;
}
