import { sql } from "kysely";
import type { Database } from "../../reference/chat/storage/database.js";

/** Runs one statement of SQL text. */
export async function executeSql(database: Database, text: string): Promise<void> {
  await sql.raw(text).execute(database);
}
