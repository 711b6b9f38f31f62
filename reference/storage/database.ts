import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type QueryExecutorProvider,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type Libsql from "libsql";
import { createCommitGroup } from "./create-commit-group.js";

/** A query of the builder, or one written as text with Kysely's `sql`. */
export interface Query<Row> {
  readonly compile: (executor: QueryExecutorProvider) => CompiledQuery<Row>;
}

/**
 * The database of one server. Queries are built with Kysely and run at once on the one connection there is: a handler that does not
 * wait between two statements is not interleaved with another.
 */
export interface Database<Tables> {
  /** Builds queries. It cannot run them. */
  readonly sql: Kysely<Tables>;
  /** Every row of the answer. */
  readonly all: <Row>(query: Query<Row>) => Row[];
  /** The first row, or undefined. */
  readonly first: <Row>(query: Query<Row>) => Row | undefined;
  /** Runs a statement; tells how many rows changed, and the id of the row that was inserted last. */
  readonly run: (query: Query<unknown>) => { readonly changes: number; readonly insertedId: number };
  /** Runs the work in a transaction, which is undone when the work throws. Inside another, it is part of that one. */
  readonly transaction: <Result>(work: () => Result) => Result;
  /** Where the sequence of commits is, for `settled`. */
  readonly position: () => number;
  /**
   * Resolves when everything written so far is on the disk; nobody may be told of a write before. Rejects when what was written
   * since a position, by default in this turn of the event loop, could not be put there and is undone.
   */
  readonly settled: (since?: number) => Promise<void>;
  /** Grows with every write, and with every transaction that is undone. What was read at one version is true at that version. */
  readonly version: () => number;
  readonly isInTransaction: () => boolean;
  /** Runs SQL text of several statements. */
  readonly execute: (text: string) => void;
  readonly close: () => void;
}

/** A prepared statement, and the names of the columns that it answers. */
interface Statement {
  readonly prepared: Libsql.Statement<unknown[]>;
  readonly columns: readonly string[];
}

/** How many prepared statements are kept; each shape of a query is one. */
const keptStatements = 500;

/** Makes what builds queries over these tables. It cannot run them. */
export function createQueryBuilder<Tables>(): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Wraps a connection as a database. `beforeClose` is called when all is written and the connection is about to be closed. */
export function createDatabase<Tables>(
  connection: Libsql.Database,
  beforeClose: () => void = () => {},
): Database<Tables> {
  const builder = createQueryBuilder<Tables>();
  const statements = new Map<string, Statement>();
  let inTransaction = false;
  let version = 0;
  const group = createCommitGroup(connection, () => version++);

  function prepare(text: string): Statement {
    const known = statements.get(text);
    if (known !== undefined) {
      // The map keeps the order of use, so that the first is the one to drop.
      statements.delete(text);
      statements.set(text, known);
      return known;
    }
    const prepared = connection.prepare<unknown[]>(text);
    const columns = prepared.columns().map(({ name }) => name);
    // As an object the driver would give the first row a field of its own.
    if (columns.length > 0) prepared.raw(true);
    const statement = { prepared, columns };
    statements.set(text, statement);
    const [oldest] = statements.keys();
    if (statements.size > keptStatements && oldest !== undefined) statements.delete(oldest);
    return statement;
  }

  function beginWrite(): void {
    version++;
    group.begin();
  }

  /** Writes, and tells the group when that fails. */
  function write<Result>(work: () => Result): Result {
    beginWrite();
    try {
      return work();
    } catch (error) {
      group.failed(error);
      throw error;
    }
  }

  return {
    sql: builder,
    all: (query) => {
      const { sql, parameters } = query.compile(builder);
      const { prepared, columns } = prepare(sql);
      return prepared.all(parameters.map(bindable)).map((values) => toRow(columns, values));
    },
    first: (query) => {
      const { sql, parameters } = query.compile(builder);
      const { prepared, columns } = prepare(sql);
      const values = prepared.get(parameters.map(bindable));
      return values === undefined ? undefined : toRow(columns, values);
    },
    run: (query) =>
      write(() => {
        const { sql, parameters } = query.compile(builder);
        const { changes, lastInsertRowid } = prepare(sql).prepared.run(parameters.map(bindable));
        return { changes, insertedId: Number(lastInsertRowid) };
      }),
    transaction: (work) => {
      if (inTransaction) return work();
      beginWrite();
      connection.exec("savepoint work");
      inTransaction = true;
      try {
        const result = work();
        connection.exec("release work");
        return result;
      } catch (error) {
        version++;
        group.failed(error);
        // What SQLite has undone by itself has no savepoint any more.
        if (connection.inTransaction) connection.exec("rollback to work; release work");
        throw error;
      } finally {
        inTransaction = false;
      }
    },
    position: group.position,
    settled: (since = group.position()) => group.settled(since),
    version: () => version,
    isInTransaction: () => inTransaction,
    execute: (text) => write(() => connection.exec(text)),
    close: () => {
      group.end();
      beforeClose();
      statements.clear();
      connection.close();
    },
  };
}

function toRow<Row>(columns: readonly string[], values: unknown): Row {
  const row: Record<string, unknown> = {};
  columns.forEach((name, index) => {
    row[name] = (values as readonly unknown[])[index];
  });
  return row as Row;
}

/** The driver takes no booleans, and aborts the process for one. */
function bindable(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}

/** Stands for an argument while a query is compiled. */
interface Placeholder {
  readonly position: number;
}

/**
 * Makes a function that gives the same query with other values, and compiles it only once: compiling costs as much as running a
 * query that finds one row. `build` must use its arguments as values alone, never to decide what the query is.
 */
export function reusableQuery<Arguments extends readonly unknown[], Row>(
  build: (...values: Arguments) => Query<Row>,
): (...values: Arguments) => Query<Row> {
  let compiled: ReturnType<Query<Row>["compile"]> | undefined;
  return (...values) => ({
    compile: (builder) => {
      if (compiled === undefined) {
        const placeholders = values.map((_, position): Placeholder => ({ position }));
        compiled = build(...(placeholders as unknown as Arguments)).compile(builder);
      }
      const parameters = compiled.parameters.map((value) => (isPlaceholder(value) ? values[value.position] : value));
      return { ...compiled, parameters };
    },
  });
}

function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === "object" && value !== null && "position" in value;
}
