import { sql } from "kysely";
import type { Database } from "../../reference/chat/storage/database.js";

/** Dumps all rows of all tables, to detect any change. */
export function dumpDatabase(database: Database): Readonly<Record<string, readonly unknown[]>> {
  const tables = database.all(
    sql<{
      name: string;
    }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
  );
  return Object.fromEntries(
    // Skip the full-text index: its content is in the tables beside it.
    tables.flatMap(({ name }) =>
      name === "message_search" ? [] : [[name, database.all(sql`select * from ${sql.table(name)}`)]],
    ),
  );
}
