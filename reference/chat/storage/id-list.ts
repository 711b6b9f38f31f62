import { type RawBuilder, sql } from "kysely";

/** Ids as the right side of `in`, however many. The text of the query is the same for any number of them. */
export function idList(ids: Iterable<number>): RawBuilder<unknown> {
  return sql`(select value from json_each(${JSON.stringify([...ids])}))`;
}
