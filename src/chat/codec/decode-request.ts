import type { Operation, ParameterKind } from "../operation.js";
import { parameterLocation } from "../operation.js";

/** The undecoded parameters of a request. */
export interface RequestTexts {
  /** Path values, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Iterable<readonly [string, string]>;
  /** Form fields, or the text parts of a multipart body. */
  readonly body: Iterable<readonly [string, string]>;
  /** Files of a multipart body by part name. */
  readonly files?: Iterable<readonly [string, Blob]>;
}

/** The decoded parameters of a request. */
export interface DecodedRequest {
  /** Values of the parameters that the operation defines. */
  readonly values: Record<string, unknown>;
  /** Parameters whose text does not match their type, in the order of the operation. */
  readonly malformed: readonly { readonly name: string; readonly expected: string }[];
  /** Sorted names of unsupported parameters, as in `ignored_parameters_unsupported`. */
  readonly ignored: readonly string[];
}

/**
 * Decodes the parameters of a request.
 *
 * All parameters except path values may be in the query string or the body, for any method. The body takes precedence, and so does
 * the last of a repeated name. A path value that is repeated elsewhere is ignored. The file of an upload may have any part name;
 * several files are malformed.
 */
export function decodeRequest(operation: Operation, texts: RequestTexts): DecodedRequest {
  const sent = new Map([...texts.query, ...texts.body]);
  const values: Record<string, unknown> = {};
  const malformed: { name: string; expected: string }[] = [];
  const files = [...(texts.files ?? [])];
  const hasPathValues = operation.path.includes("{");
  for (const [name, kind] of Object.entries(operation.parameters)) {
    if (kind === "file") {
      const [file, ...others] = files.splice(0);
      if (file === undefined) continue;
      if (others.length === 0) values[name] = file[1];
      else malformed.push({ name, expected: "exactly one file" });
      continue;
    }
    const inPath = hasPathValues && parameterLocation(operation, name) === "path";
    const text = inPath ? texts.path[name] : sent.get(name);
    if (!inPath) sent.delete(name);
    if (text === undefined) continue;
    const decoded = decodeValue(kind, text);
    if (decoded.kind === "value") values[name] = decoded.value;
    else malformed.push({ name, expected: decoded.expected });
  }
  return { values, malformed, ignored: [...new Set([...sent.keys(), ...files.map(([part]) => part)])].sort() };
}

/** A decoded value, or a description of the expected text. */
export type DecodedValue =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "malformed"; readonly expected: string };

const integer = /^\s*-?(?:0|[1-9]\d*)\s*$/;

/**
 * Decodes the text of a parameter.
 *
 * An integer is decimal digits after an optional minus sign: `12.0`, `1e3`, `"12"`, `012` and the empty string are malformed. One above
 * 2^53 becomes the nearest double. Arrays and objects are JSON. Strings are not decoded.
 */
export function decodeValue(kind: Exclude<ParameterKind, "file">, text: string): DecodedValue {
  switch (kind) {
    case "string":
    case "segments":
      return { kind: "value", value: text };
    case "integer":
      return integer.test(text)
        ? { kind: "value", value: Number(text) }
        : { kind: "malformed", expected: "an integer" };
    case "integer-or-text":
      return { kind: "value", value: integer.test(text) ? Number(text) : text };
    case "boolean":
      switch (text.trim()) {
        case "true":
          return { kind: "value", value: true };
        case "false":
          return { kind: "value", value: false };
        default:
          return { kind: "malformed", expected: "true or false" };
      }
    case "json":
      try {
        return { kind: "value", value: JSON.parse(text) };
      } catch {
        return { kind: "malformed", expected: "JSON text" };
      }
  }
}
