import { type RawBuilder, sql } from "kysely";
import { createQueryBuilder, type Database as DatabaseOf } from "../../storage/database.js";
import { openDatabase } from "../../storage/open-database.js";
import { initial } from "./migrations.js";
import type { Tables } from "./tables.js";

export type { Query } from "../../storage/database.js";

/** The database of a chat server. */
export type Database = DatabaseOf<Tables>;

/** Builds queries. It cannot run them. */
export const builder = createQueryBuilder<Tables>();

const schema = { file: "chat.db", applicationId: 0x63686174, migrations: [initial] };

/** Opens the database of a data folder, or one in memory. Throws a `DataFolderError`, as `openDatabase` does. */
export function openChatDatabase(folder?: string): Database {
  return openDatabase<Tables>(schema, folder);
}

/** Ids as the right side of `in`, however many. The text of the query is the same for any number of them. */
export function idList(ids: Iterable<number>): RawBuilder<unknown> {
  return sql`(select value from json_each(${JSON.stringify([...ids])}))`;
}

/** How many rows of a table belong to a user. */
export function rowsOf(
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
