import { Kysely, PostgresDialect, sql } from "kysely";
import type { Tables } from "../tables.js";
import { type ChatDatabase, defaultMaxLongReadMs } from "../transactions.js";
import { migrate, toDatabaseError } from "./migrate.js";
import { createPool } from "./pool.js";
import { retryConflicts } from "./retry-conflicts.js";

/** Maximum connections of this server. */
const maxConnections = 10;

/**
 * Connects to a PostgreSQL database, which any number of servers share, and migrates its schema under a lock. `url` has the form
 * `postgres://user:password@host:port/name`, with the parameters that `pg` accepts, such as `sslmode`.
 *
 * Rejects with a `DatabaseError` if the database cannot be reached, is too old, or has the schema of a newer server.
 */
export async function openPostgres(url: string): Promise<ChatDatabase> {
  const pool = await createPool(url, maxConnections);
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  try {
    await migrate(pool);
  } catch (error) {
    await database.destroy();
    throw toDatabaseError(error);
  }
  const transaction = () => database.transaction().setIsolationLevel("repeatable read");
  const read: ChatDatabase["read"] = (work) =>
    transaction()
      .setAccessMode("read only")
      .execute(async (within) => {
        await sql`set local statement_timeout = ${sql.lit(defaultMaxLongReadMs)}`.execute(within);
        return work(within);
      });
  return {
    engine: "postgres",
    database,
    write: (work) => retryConflicts(() => transaction().execute(work)),
    read,
    longRead: read,
    hasRoom: async () => true,
    close: () => database.destroy(),
  };
}
