import { randomUUID } from "node:crypto";
import { parseJson } from "../../../base/parse-json.js";

/** The prefix of strings that represent integers which a double might not hold exactly. No server can guess it. */
const mark = `integer ${randomUUID()} `;

/** Parses JSON so that `writeExactly` writes its integers digit by digit. Undefined if the text is not JSON. */
export function parseExactly(text: string): unknown {
  const marked = text.replace(/"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : JSON.stringify(exactInteger(token)),
  );
  return parseJson(marked);
}

/** A value that `writeExactly` writes as an integer with these digits. */
export function exactInteger(digits: string): string {
  return `${mark}${digits}`;
}

/** Writes a value as JSON. */
export function writeExactly(value: unknown): string {
  return JSON.stringify(value).replaceAll(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}
