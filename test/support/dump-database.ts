import { sql } from "kysely";
import type { Database } from "../../reference/chat/storage/database.js";

/** All rows of all tables of a database, to see whether anything has changed. */
export function dumpDatabase(database: Database): Readonly<Record<string, readonly unknown[]>> {
  const tables = database.all(
    sql<{
      name: string;
    }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`,
  );
  return Object.fromEntries(
    // The full-text index has no columns of its own to read; what it is made of is in the tables beside it.
    tables.flatMap(({ name }) =>
      name === "message_search" ? [] : [[name, database.all(sql`select * from ${sql.table(name)}`)]],
    ),
  );
}
