import type { ParameterKind } from "../operation.js";

/**
 * The text form of a parameter value: JSON text for arrays and objects, the value itself for strings, digits for integers.
 *
 * A `bigint` is written in full, so an id or anchor above 2^53 can be sent without loss.
 */
export function encodeValue(kind: ParameterKind, value: unknown): string {
  return kind === "json" ? JSON.stringify(value) : String(value);
}
