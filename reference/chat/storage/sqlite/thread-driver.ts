import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import type Libsql from "libsql";
import AsyncLibsql from "libsql/promise";
import { LongReadError } from "../transactions.js";
import { createPool } from "./pool.js";
import { bindable, createStatements, toStatement } from "./statements.js";

/** Maximum transactions that run at the same time; others wait. */
const maxConnections = 4;

/**
 * Creates a driver that only reads, on threads of the database library: a query may take a long time without holding up the server. It
 * is interrupted after `maxMs`.
 */
export function createThreadDriver(file: string, maxMs: number): Driver {
  const pool = createPool(maxConnections, () => createConnection(file, maxMs));
  return {
    init: async () => {},
    acquireConnection: pool.take,
    releaseConnection: async (connection) => pool.give(connection as ThreadConnection),
    beginTransaction: (connection) => (connection as ThreadConnection).begin(),
    commitTransaction: async (connection) => (connection as ThreadConnection).end(),
    rollbackTransaction: async (connection) => (connection as ThreadConnection).end(),
    destroy: async () => {
      for (const { close } of pool.items()) close();
    },
  };
}

interface ThreadConnection extends DatabaseConnection {
  readonly begin: () => Promise<void>;
  /** Ends a transaction, whose result does not depend on it. */
  readonly end: () => void;
  readonly close: () => void;
}

function createConnection(file: string, maxMs: number): ThreadConnection {
  const connection = new AsyncLibsql(file, { timeout: 1000 });
  // Each transaction begins with the end of the one before, and sees the database as of its first query. That saves two waits for threads.
  let begun: Promise<unknown> = connection.exec("begin");
  const beginAnew = async () => {
    // SQLite ends a transaction by itself after some errors.
    await connection.exec("rollback").catch(() => {});
    await connection.exec("begin");
  };
  const statements = createStatements();
  const prepare = async (text: string) => {
    const statement =
      statements.get(text) ?? toStatement(await (connection.prepare(text) as Promise<Libsql.Statement<unknown[]>>));
    statements.set(text, statement);
    return statement;
  };
  return {
    begin: () => begun.catch(beginAnew) as Promise<void>,
    end: () => {
      begun = connection.exec("rollback; begin");
      // The next transaction handles it.
      begun.catch(() => {});
    },
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      const { prepared, toRows } = await prepare(query.sql);
      const timer = setTimeout(() => connection.interrupt(), maxMs);
      try {
        const rows = await (prepared.all(bindable(query.parameters)) as unknown as Promise<unknown[][]>);
        return { rows: (toRows?.(rows) ?? []) as Row[] };
      } catch (error) {
        if ((error as { code?: unknown }).code !== "SQLITE_INTERRUPT") throw error;
        throw new LongReadError(`a query took longer than ${maxMs} ms`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
    streamQuery: () => {
      throw new Error("streams are not supported");
    },
    close: () => {
      connection.close();
    },
  };
}
