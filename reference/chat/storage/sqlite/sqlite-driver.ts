import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from "kysely";
import type Libsql from "libsql";
import { createGroupCommit } from "./group-commit.js";
import { createPool, type Pool } from "./pool.js";
import { bindable, changed, createStatements, isRead, type Statement, toStatement } from "./statements.js";

/** Maximum open connections for reading. */
const maxReaders = 8;

/** A connection and its prepared statements. */
interface Handle {
  readonly connection: Libsql.Database;
  readonly query: <Row>(query: CompiledQuery) => QueryResult<Row>;
}

/**
 * Creates a driver with one connection for writing, on which transactions wait for each other, and others for reading,
 * which see the last commit and never wait for a writer. Work in the database is synchronous, so a transaction that awaits
 * nothing else is complete before the next event.
 */
export function createSqliteDriver(writer: Libsql.Database, openReader: () => Libsql.Database): Driver {
  const group = createGroupCommit(writer);
  const writing = createHandle(writer, group.failed);
  const readers = createPool(maxReaders, () => createHandle(openReader()));

  return {
    init: async () => {},
    acquireConnection: async () => createConnection({ group, writing, readers }),
    releaseConnection: async () => {},
    beginTransaction: (connection, settings) => (connection as SqliteConnection).begin(settings),
    commitTransaction: (connection) => (connection as SqliteConnection).commit(),
    rollbackTransaction: (connection) => (connection as SqliteConnection).rollback(),
    destroy: async () => {
      await group.end();
      for (const { connection } of readers.items()) connection.close();
      writer.close();
    },
  };
}

interface SqliteConnection extends DatabaseConnection {
  readonly begin: (settings: TransactionSettings) => Promise<void>;
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
}

interface Means {
  readonly group: ReturnType<typeof createGroupCommit>;
  readonly writing: Handle;
  readonly readers: Pool<Handle>;
}

/** A connection as Kysely sees it: it takes one of the real connections for each transaction or single statement. */
function createConnection({ group, writing, readers }: Means): SqliteConnection {
  let transaction: { readonly kind: "read" | "write"; readonly handle: Handle } | undefined;

  async function begin({ accessMode }: TransactionSettings): Promise<void> {
    if (accessMode === "read only") {
      const handle = await readers.take();
      handle.connection.exec("begin");
      transaction = { kind: "read", handle };
    } else {
      await group.begin();
      transaction = { kind: "write", handle: writing };
    }
  }

  async function end(how: "commit" | "rollback"): Promise<void> {
    const ended = transaction;
    transaction = undefined;
    if (ended === undefined) return;
    if (ended.kind === "write") return group[how]();
    ended.handle.connection.exec(how);
    readers.give(ended.handle);
  }

  async function single<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (isRead(query)) {
      const handle = await readers.take();
      try {
        return handle.query<Row>(query);
      } finally {
        readers.give(handle);
      }
    }
    await begin({});
    try {
      const result = (transaction?.handle ?? writing).query<Row>(query);
      await end("commit");
      return result;
    } catch (error) {
      await end("rollback");
      throw error;
    }
  }

  return {
    begin,
    commit: () => end("commit"),
    rollback: () => end("rollback"),
    executeQuery: async <Row>(query: CompiledQuery) =>
      transaction === undefined ? single<Row>(query) : transaction.handle.query<Row>(query),
    streamQuery: () => {
      throw new Error("streams are not supported");
    },
  };
}

function createHandle(connection: Libsql.Database, onFailure: (error: unknown) => void = () => {}): Handle {
  const statements = createStatements();

  function prepare(text: string): Statement {
    const statement = statements.get(text) ?? toStatement(connection.prepare<unknown[]>(text));
    statements.set(text, statement);
    return statement;
  }

  return {
    connection,
    query: <Row>({ sql, parameters }: CompiledQuery) => {
      try {
        const { prepared, toRows } = prepare(sql);
        const values = bindable(parameters);
        if (toRows === undefined) return changed(prepared.run(values)) as QueryResult<never>;
        return { rows: toRows(prepared.all(values) as unknown[][]) as Row[] };
      } catch (error) {
        onFailure(error);
        throw error;
      }
    },
  };
}
