import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Tables } from "./tables.js";

/** Runs queries on the database of a chat server: in a transaction in handlers. */
export type Database = Kysely<Tables>;

/** Whether the engine is PostgreSQL; otherwise it is SQLite. Only a few queries differ. */
export function isPostgres(database: Database): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}

/** Ids as the right side of `in`, or as a table with the column `value`. The query text is the same for any number of them. */
export function idList(database: Database, ids: Iterable<number>): RawBuilder<unknown> {
  return isPostgres(database)
    ? sql`(select unnest(${[...ids].filter(Number.isSafeInteger)}::bigint[]) as value)`
    : sql`(select value from json_each(${JSON.stringify([...ids])}))`;
}

/** The key by which the database finds a name in any case: only the case of ASCII letters is ignored. */
export function keyOf(name: string): string {
  return name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Counts the rows of a table that belong to a user. */
export async function countRows(
  database: Database,
  table: "device_token" | "muted_topic" | "push_device" | "reminder",
  { id, realm_id }: { readonly id: number; readonly realm_id: number },
): Promise<number> {
  const { count } = await database
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("realm_id", "=", realm_id)
    .where("user_id", "=", id)
    .executeTakeFirstOrThrow();
  return count;
}
