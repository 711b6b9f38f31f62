import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  type PostgresPool,
} from "kysely";

/**
 * A dialect of PostgreSQL that sends the beginning of a transaction together with its first statement, and does not wait for the end of
 * one that only reads. Each would take a round trip. The clients of the pool must allow pipelining. A query of a transaction that only
 * reads takes at most `maxReadMs`.
 */
export function createPipelinedDialect(pool: PostgresPool, maxReadMs: number): Dialect {
  const dialect = new PostgresDialect({ pool });
  return {
    createAdapter: () => dialect.createAdapter(),
    createDriver: () => pipelined(dialect.createDriver(), maxReadMs),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

/** A transaction that may not have begun yet. */
interface Transaction {
  readonly isReadOnly: boolean;
  readonly begun: Promise<void>;
}

function pipelined(driver: Driver, maxReadMs: number): Driver {
  const limitRead = CompiledQuery.raw(`set local statement_timeout = ${maxReadMs}`);
  const transactions = new WeakMap<DatabaseConnection, Transaction>();
  return {
    init: () => driver.init(),
    acquireConnection: () => driver.acquireConnection(),
    releaseConnection: (connection) => driver.releaseConnection(connection),
    beginTransaction: async (connection, settings) => {
      const isReadOnly = settings.accessMode === "read only";
      const begun = driver.beginTransaction(connection, settings);
      // The statement that follows fails, too.
      begun.catch(() => {});
      if (isReadOnly) connection.executeQuery(limitRead).catch(() => {});
      transactions.set(connection, { isReadOnly, begun });
    },
    commitTransaction: async (connection) => {
      const transaction = transactions.get(connection);
      const committed = driver.commitTransaction(connection);
      // Nothing depends on it: the next transaction of the connection begins after it.
      if (transaction?.isReadOnly) return void committed.catch(() => {});
      await Promise.all([transaction?.begun, committed]);
    },
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    destroy: () => driver.destroy(),
  };
}
