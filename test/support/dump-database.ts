import { sql } from "kysely";
import type { Database } from "../../reference/chat/storage/database.js";

/** Dumps all rows of all tables, to detect any change. */
export async function dumpDatabase(database: Database): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name`.execute(database);
  const dump: Record<string, readonly unknown[]> = {};
  for (const { name } of tables) {
    // The tables behind the full-text index hold its internal data.
    const columns = name.startsWith("message_search") ? sql`count(*)` : sql`*`;
    if (name !== "message_search")
      dump[name] = (await sql`select ${columns} from ${sql.table(name)}`.execute(database)).rows;
  }
  return dump;
}
