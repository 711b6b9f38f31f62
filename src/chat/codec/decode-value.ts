import type { ParameterKind } from "../operation.js";

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
