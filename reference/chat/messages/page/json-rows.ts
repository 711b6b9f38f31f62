import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../storage/database.js";

/** What selects rows that are put into one JSON text. */
interface JsonQuery {
  /** The JSON of a row, such as `json_array(id, name)`. */
  readonly row: RawBuilder<unknown>;
  /** What follows `from`. */
  readonly from: RawBuilder<unknown>;
}

/** Runs a query whose rows come as one JSON text, which costs a third of what the driver takes for rows of many columns. */
export function jsonRows<Row>(database: Database, { row, from }: JsonQuery): Row[] {
  const found = database.first(sql<{ rows: string }>`select json_group_array(${row}) as rows from ${from}`);
  return found === undefined ? [] : JSON.parse(found.rows);
}
