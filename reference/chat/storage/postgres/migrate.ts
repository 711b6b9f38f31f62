import type { Pool, PoolClient } from "pg";
import { UsageError } from "../../../../src/base/usage-error.js";
import type { SchemaState } from "../../../storage/sqlite-file.js";
import { migrations } from "../migrations.js";
import { postgresForms } from "./sql-forms.js";

/** Thrown if a PostgreSQL database cannot be used. The message says why and what to do. */
export class DatabaseError extends UsageError {
  override readonly name = "DatabaseError";
}

/** Converts an error of connecting or migrating. */
export function toDatabaseError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  return new DatabaseError(`The PostgreSQL database cannot be used: ${(error as Error).message}`, { cause: error });
}

/** Identifies the lock of migrations among the advisory locks of the database: four ASCII letters. */
const lockId = 0x63686174;
const minServerVersion = 150_000;

/** Reads the schema version of a database. */
export async function readSchemaState(pool: Pool): Promise<SchemaState> {
  return withClient(pool, (client) => stateOf(client));
}

/**
 * Runs all pending migrations in one transaction, under a lock: of several servers that start together, one migrates and the
 * others wait. Returns the state before. Throws a `DatabaseError` if the schema is that of a newer server.
 */
export async function migrate(pool: Pool): Promise<SchemaState> {
  return withClient(pool, async (client) => {
    await client.query("begin");
    try {
      await client.query("select pg_advisory_xact_lock($1)", [lockId]);
      const state = await stateOf(client);
      if (state.version > state.newest) {
        throw new DatabaseError(
          `The database has schema version ${state.version}, and this server knows versions up to ${state.newest}; run a newer server`,
        );
      }
      if (state.version === 0) await client.query("create table if not exists accord_schema (version bigint not null)");
      for (const migration of migrations.slice(state.version)) {
        for (const statement of migration(postgresForms)) await client.query(statement);
      }
      if (state.version < state.newest) {
        await client.query("delete from accord_schema");
        await client.query("insert into accord_schema values ($1)", [state.newest]);
      }
      await client.query("commit");
      return state;
    } catch (error) {
      await client.query("rollback").catch(() => {});
      throw error;
    }
  });
}

async function stateOf(client: PoolClient): Promise<SchemaState> {
  const newest = migrations.length;
  const server = await client.query(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  );
  const { version, encoding } = server.rows[0];
  if (version < minServerVersion)
    throw new DatabaseError(`PostgreSQL ${Math.floor(version / 10_000)} is too old; use 15 or newer`);
  if (encoding !== "UTF8")
    throw new DatabaseError(`The database has the encoding ${encoding}; create it with the encoding UTF8`);
  const exists = await client.query("select to_regclass('accord_schema') is not null as found");
  if (!exists.rows[0].found) return { version: 0, newest };
  const stored = await client.query("select version from accord_schema");
  return { version: Number(stored.rows[0]?.version ?? 0), newest };
}

async function withClient<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
