import type { Pool } from "pg";
import type { SchemaState } from "../../storage/sqlite-file.js";
import { openSqlite, readSqliteState } from "./sqlite/open-sqlite.js";

/** Where the data of a chat server is. */
export type DatabasePlace = { readonly dataFolder: string } | { readonly databaseUrl: string };

/**
 * Reads the schema version of a database and changes nothing. Rejects with a `DataFolderError` or a `DatabaseError` if it cannot be
 * read.
 */
export async function readSchema(place: DatabasePlace): Promise<SchemaState> {
  if ("dataFolder" in place) return readSqliteState(place.dataFolder);
  return onPostgres(place.databaseUrl, ({ readSchemaState }, pool) => readSchemaState(pool));
}

/** Migrates the schema of a database, as a server does when it starts. Returns the state before. Rejects like `readSchema`. */
export async function migrateSchema(place: DatabasePlace): Promise<SchemaState> {
  if ("dataFolder" in place) {
    const before = readSqliteState(place.dataFolder);
    await openSqlite(place.dataFolder).close();
    return before;
  }
  return onPostgres(place.databaseUrl, ({ migrate }, pool) => migrate(pool));
}

async function onPostgres<Result>(
  url: string,
  work: (modules: typeof import("./postgres/migrate.js"), pool: Pool) => Promise<Result>,
): Promise<Result> {
  const [migrating, { createPool }] = await Promise.all([
    import("./postgres/migrate.js"),
    import("./postgres/pool.js"),
  ]);
  const pool = await createPool(url, 1);
  try {
    return await work(migrating, pool);
  } catch (error) {
    throw migrating.toDatabaseError(error);
  } finally {
    await pool.end();
  }
}
