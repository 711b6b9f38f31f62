import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { expressionOf } from "../expressions.js";
import type { Binding } from "./cases.js";

/** A request in which each bound field, such as `book.title`, is the expression of its source. */
export function withBound(request: JsonObject, bind: Binding): JsonObject {
  return Object.entries(bind).reduce(
    (values, [field, source]) => merged(values, nested(field.split("."), `$${source}`)),
    request,
  );
}

function nested([name = "", ...rest]: readonly string[], value: JsonValue): JsonObject {
  return { [name]: rest.length === 0 ? value : nested(rest, value) };
}

/** One message in another, field by field. */
export function merged(one: JsonObject, other: JsonObject): JsonObject {
  const both = Object.entries(other).map(([name, value]): [string, JsonValue] => {
    const known = one[name];
    return [name, isObject(known) && isObject(value) ? merged(known, value) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}

/** The fields of a message that are expressions, at any depth but in no list, and the others. */
export function splitExpressions(message: JsonObject): [bound: JsonObject, fixed: JsonObject] {
  const bound: JsonObject = {};
  const fixed: JsonObject = {};
  for (const [name, value] of Object.entries(message)) {
    if (isObject(value)) {
      const [inner, rest] = splitExpressions(value);
      if (Object.keys(inner).length > 0) bound[name] = inner;
      fixed[name] = rest;
    } else if (typeof value === "string" && expressionOf(value) !== undefined) bound[name] = value;
    else fixed[name] = value;
  }
  return [bound, fixed];
}

/** The paths of the fields of a message. */
export function pathsIn(message: JsonObject): string[][] {
  return Object.entries(message).flatMap(([name, value]) =>
    isObject(value) ? pathsIn(value).map((path) => [name, ...path]) : [[name]],
  );
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
