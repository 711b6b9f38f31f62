import type { Query } from "./database.js";

/** Stands for an argument while a query is compiled. */
interface Placeholder {
  readonly position: number;
}

/**
 * Makes a function that gives the same query with other values, and compiles it only once: compiling costs as much as running a
 * query that finds one row. `build` must use its arguments as values alone, never to decide what the query is.
 */
export function reusableQuery<Arguments extends readonly unknown[], Row>(
  build: (...values: Arguments) => Query<Row>,
): (...values: Arguments) => Query<Row> {
  let compiled: ReturnType<Query<Row>["compile"]> | undefined;
  return (...values) => ({
    compile: (builder) => {
      if (compiled === undefined) {
        const placeholders = values.map((_, position): Placeholder => ({ position }));
        compiled = build(...(placeholders as unknown as Arguments)).compile(builder);
      }
      const parameters = compiled.parameters.map((value) => (isPlaceholder(value) ? values[value.position] : value));
      return { ...compiled, parameters };
    },
  });
}

function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === "object" && value !== null && "position" in value;
}
