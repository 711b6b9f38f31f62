import type { Compilable, CompiledQuery } from "kysely";
import { type Database, isPostgres } from "./database.js";

/** Stands for a value while a query is compiled. */
class Placeholder {
  readonly position: number;

  constructor(position: number) {
    this.position = position;
  }
}

/**
 * Creates a query that is compiled at its first use, because compiling takes longer than finding a few rows. `build` must use the
 * values only as parameters, never to choose the shape of the query.
 */
export function prepareQuery<Values extends readonly unknown[], Row>(
  build: (database: Database, ...values: Values) => Compilable<Row>,
): (database: Database, ...values: Values) => Promise<Row[]> {
  const compiled: { sqlite?: CompiledQuery<Row>; postgres?: CompiledQuery<Row> } = {};
  return async (database, ...values) => {
    const engine = isPostgres(database) ? "postgres" : "sqlite";
    compiled[engine] ??= build(
      database,
      ...(values.map((_, position) => new Placeholder(position)) as unknown as Values),
    ).compile();
    const parameters = compiled[engine].parameters.map((value) =>
      value instanceof Placeholder ? values[value.position] : value,
    );
    const { rows } = await database.executeQuery<Row>({ ...compiled[engine], parameters });
    return rows;
  };
}
