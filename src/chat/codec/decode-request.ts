import type { Operation, ParameterKind } from "../operation.js";
import { parameterLocation } from "../operation.js";

/** The parts of a request that carry parameters, as text. */
export interface RequestTexts {
  /** Path values, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Iterable<readonly [string, string]>;
  /** Form fields, or the text parts of a multipart body. */
  readonly body: Iterable<readonly [string, string]>;
  /** Files of a multipart body by part name. */
  readonly files?: Iterable<readonly [string, Blob]>;
}

/** What a request says, decoded. */
export interface DecodedRequest {
  /** Decoded values of the parameters that the operation knows. */
  readonly values: Record<string, unknown>;
  /** Parameters whose text is not what their type wants, in the order of the operation. */
  readonly malformed: readonly { readonly name: string; readonly expected: string }[];
  /** Names of parameters that the operation does not support, sorted: the content of `ignored_parameters_unsupported`. */
  readonly ignored: readonly string[];
}

/**
 * Decodes the parameters of a request.
 *
 * Parameters other than path values are taken from the query string and the body alike, whatever the method; the body wins,
 * and of a repeated name the last one. A path value that is repeated elsewhere is ignored. Any part name does for the one file
 * of an upload; several files are malformed.
 */
export function decodeRequest(operation: Operation, texts: RequestTexts): DecodedRequest {
  const sent = new Map([...texts.query, ...texts.body]);
  const values: Record<string, unknown> = {};
  const malformed: { name: string; expected: string }[] = [];
  const files = [...(texts.files ?? [])];
  for (const [name, kind] of Object.entries(operation.parameters)) {
    if (kind === "file") {
      const [file, ...others] = files.splice(0);
      if (file === undefined) continue;
      if (others.length === 0) values[name] = file[1];
      else malformed.push({ name, expected: "exactly one file" });
      continue;
    }
    const inPath = parameterLocation(operation, name) === "path";
    const text = inPath ? texts.path[name] : sent.get(name);
    if (!inPath) sent.delete(name);
    if (text === undefined) continue;
    const decoded = decodeValue(kind, text);
    if (decoded.kind === "value") values[name] = decoded.value;
    else malformed.push({ name, expected: decoded.expected });
  }
  return { values, malformed, ignored: [...new Set([...sent.keys(), ...files.map(([part]) => part)])].sort() };
}

/** A decoded value, or what was expected instead of the text. */
export type DecodedValue =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "malformed"; readonly expected: string };

const integer = /^\s*-?(?:0|[1-9]\d*)\s*$/;

/**
 * Reads the text form of a parameter.
 *
 * Integers, booleans, arrays and objects are JSON text, read strictly: `12.0`, `1e3`, `"12"` and the empty text are no integers.
 * Strings are taken as they are. An integer above 2^53 becomes the nearest double.
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
    case "anchor":
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
