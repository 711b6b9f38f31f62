import type { IncomingHttpHeaders } from "node:http";
import { percentDecodeBytes } from "../../../../src/percent-decode.js";

/**
 * Returns the text of a header. Node decodes the bytes as Latin-1, but servers send UTF-8, so this decodes them as UTF-8
 * if they are valid UTF-8.
 */
export function headerText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  const first = typeof value === "object" ? value[0] : value;
  return first === undefined ? undefined : (decodeUtf8(Buffer.from(first, "latin1")) ?? first);
}

/** Decodes UTF-8; undefined if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** `name=token` or `name="quoted"` after a semicolon (RFC 6266, section 4.1; RFC 9110, section 5.6). */
const parameter = /;[ \t]*([^\s;="]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))[ \t]*/sy;

/**
 * Returns the file name in a `Content-Disposition` header; undefined if there is none. `filename*` takes precedence
 * over `filename` if it can be decoded. Only the last segment of a path counts.
 */
export function fileName(contentDisposition: string): string | undefined {
  const parameters = readParameters(contentDisposition);
  const extended = parameters.get("filename*");
  const name = (extended === undefined ? undefined : decodeExtended(extended)) ?? parameters.get("filename");
  return name?.split(/[/\\]/).at(-1);
}

/** If a name is repeated, the first value counts. Parsing stops at the first syntax error. */
function readParameters(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const start = header.indexOf(";");
  if (start < 0) return found;
  const next = new RegExp(parameter);
  next.lastIndex = start;
  for (let match = next.exec(header); match !== null; match = next.exec(header)) {
    const [, name = "", quoted, token = ""] = match;
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted === undefined ? token : quoted.replace(/\\(.)/gs, "$1"));
  }
  return found;
}

/** `UTF-8'en'%E9%A6%99` (RFC 8187). ISO-8859-1 was allowed before. */
function decodeExtended(value: string): string | undefined {
  const [, charset = "", encoded = ""] = /^([^']*)'[^']*'([^']*)$/.exec(value) ?? [];
  const bytes = percentDecodeBytes(encoded);
  switch (charset.toLowerCase()) {
    case "utf-8":
      return decodeUtf8(bytes);
    case "iso-8859-1":
      return bytes.toString("latin1");
    default:
      return undefined;
  }
}
