import { isObject } from "../../base/is-object.js";
import { type AbsentKeyword, isAbsent, type Resolve } from "../direction.js";
import { all, flatten } from "./flatten.js";

/** Which members do not travel, and how references are followed. */
export interface Direction {
  readonly resolve: Resolve;
  readonly absent: AbsentKeyword;
}

/** A copy of a value without the members that do not travel in a direction. */
export function withoutAbsent(schemas: readonly unknown[], value: unknown, options: Direction): unknown {
  const { resolve, absent } = options;
  if (Array.isArray(value)) {
    const items = schemas.flatMap((one) => all(flatten([one], resolve), "items"));
    return value.map((item) => withoutAbsent(items, item, options));
  }
  if (!isObject(value)) return value;
  const { properties, alternatives } = flatten(schemas, resolve);
  const named = alternatives.flatMap((one) => one.schemas.map((schema) => flatten([schema], resolve).properties));
  const schemasOf = (name: string) => [properties, ...named].flatMap((one) => one.get(name) ?? []);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) =>
      schemasOf(name).some((schema) => isAbsent(schema, absent, resolve))
        ? []
        : [[name, withoutAbsent(schemasOf(name), inner, options)]],
    ),
  );
}
