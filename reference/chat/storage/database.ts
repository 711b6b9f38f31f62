import { type RawBuilder, sql } from "kysely";
import { createQueryBuilder, type Database as DatabaseOf } from "../../storage/database.js";
import { openDatabase } from "../../storage/open-database.js";
import { initial } from "./migrations.js";
import type { Tables } from "./tables.js";

export type { Query } from "../../storage/database.js";

/** The database of a chat server. */
export type Database = DatabaseOf<Tables>;

/** Query builder, which cannot run queries. */
export const builder = createQueryBuilder<Tables>();

const schema = { file: "chat.db", applicationId: 0x63686174, migrations: [initial] };

/** Opens the database of a data folder, or one in memory. Throws like `openDatabase`. */
export function openChatDatabase(folder?: string): Database {
  return openDatabase<Tables>(schema, folder);
}

/** Ids as the right side of `in`. The query text is the same for any number of them. */
export function idList(ids: Iterable<number>): RawBuilder<unknown> {
  return sql`(select value from json_each(${JSON.stringify([...ids])}))`;
}

/** Counts the rows of a table that belong to a user. */
export function countRows(
  database: Database,
  table: "device_token" | "muted_topic" | "push_device" | "reminder",
  userId: number,
): number {
  const count = database.sql
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId);
  return database.first(count)?.count ?? 0;
}
