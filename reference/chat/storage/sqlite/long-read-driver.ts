import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from "kysely";
import type Libsql from "libsql";
import AsyncLibsql from "libsql/promise";
import { LongReadError } from "../transactions.js";
import { createPool } from "./pool.js";
import { bindable, createStatements } from "./statements.js";

/** Maximum long reads that run at the same time; others wait. */
const maxConnections = 2;

/**
 * Creates a driver that only reads, on threads of the database library: a query may take a long time without holding up the server. It
 * is interrupted after `maxMs`.
 */
export function createLongReadDriver(file: string, maxMs: number): Driver {
  const pool = createPool(maxConnections, () => createConnection(file, maxMs));
  return {
    init: async () => {},
    acquireConnection: pool.take,
    releaseConnection: async (connection) => pool.give(connection as LongReadConnection),
    beginTransaction: (connection) => (connection as LongReadConnection).execute("begin"),
    commitTransaction: (connection) => (connection as LongReadConnection).execute("commit"),
    rollbackTransaction: (connection) => (connection as LongReadConnection).execute("rollback"),
    destroy: async () => {
      for (const { close } of pool.items()) close();
    },
  };
}

interface LongReadConnection extends DatabaseConnection {
  readonly execute: (text: string) => Promise<void>;
  readonly close: () => void;
}

function createConnection(file: string, maxMs: number): LongReadConnection {
  const connection = new AsyncLibsql(file, { timeout: 1000 });
  const statements = createStatements((text) => connection.prepare(text) as Promise<Libsql.Statement<unknown[]>>);
  return {
    execute: async (text) => {
      await connection.exec(text);
    },
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      const { prepared, toRows } = await statements(query);
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
