import type { Pool, PoolClient } from "pg";
import { UsageError } from "../../../../src/usage-error.js";
import { migrations } from "../migrations.js";
import { postgresForms } from "./sql-forms.js";

/** Thrown if a PostgreSQL database cannot be used. The message says why and what to do. */
export class DatabaseError extends UsageError {
  override readonly name = "DatabaseError";
}

/** Identifies the lock of migrations among the advisory locks of the database: four ASCII letters. */
const lockId = 0x63686174;
const minServerVersion = 150_000;

/** The schema of a database, and what this server knows. */
export interface SchemaState {
  /** The number of applied migrations. */
  readonly applied: number;
  readonly newest: number;
}

/** Reads the schema version of a database. Throws a `DatabaseError` if the schema is that of a newer server. */
export async function readSchemaState(pool: Pool): Promise<SchemaState> {
  return withClient(pool, (client) => stateOf(client));
}

/**
 * Runs all pending migrations in one transaction, under a lock: of several servers that start together, one migrates and the
 * others wait. Returns the state before. Throws like `readSchemaState`.
 */
export async function migrate(pool: Pool): Promise<SchemaState> {
  return withClient(pool, async (client) => {
    await client.query("begin");
    try {
      await client.query("select pg_advisory_xact_lock($1)", [lockId]);
      const state = await stateOf(client);
      if (state.applied === 0) await client.query("create table if not exists accord_schema (version bigint not null)");
      for (const migration of migrations.slice(state.applied)) {
        for (const statement of migration(postgresForms)) await client.query(statement);
      }
      if (state.applied < state.newest) {
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
  if (!exists.rows[0].found) return { applied: 0, newest };
  const stored = await client.query("select version from accord_schema");
  const applied = Number(stored.rows[0]?.version ?? 0);
  if (applied > newest) {
    throw new DatabaseError(
      `The database has schema version ${applied}, and this server knows versions up to ${newest}; run a newer server`,
    );
  }
  return { applied, newest };
}

async function withClient<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}
