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

/** A query of the builder, or SQL text written with Kysely's `sql`. */
export interface Query<Row> {
  readonly compile: (executor: QueryExecutorProvider) => CompiledQuery<Row>;
}

/**
 * The database of one server. Queries are built with Kysely and run synchronously on a single connection, so handlers
 * interleave only where they await.
 */
export interface Database<Tables> {
  /** A query builder without a connection: it cannot run queries. */
  readonly sql: Kysely<Tables>;
  /** Runs a query and returns all rows. */
  readonly all: <Row>(query: Query<Row>) => Row[];
  /** Runs a query and returns the first row, or undefined. */
  readonly first: <Row>(query: Query<Row>) => Row | undefined;
  /** Runs a statement. Returns the number of changed rows and the id of the last inserted row. */
  readonly run: (query: Query<unknown>) => { readonly changes: number; readonly insertedId: number };
  /** Runs the work in a transaction, which is rolled back if the work throws. A nested call joins the outer transaction. */
  readonly transaction: <Result>(work: () => Result) => Result;
  /** The current commit position, for `settled`. */
  readonly position: () => number;
  /**
   * Resolves when all writes so far are on the disk; await it before you acknowledge a write. Rejects if writes since a
   * position, by default those of this event loop turn, could not be committed and were rolled back.
   */
  readonly settled: (since?: number) => Promise<void>;
  /** Increases with every write and every rollback. Reads at the same version are consistent with each other. */
  readonly version: () => number;
  readonly isInTransaction: () => boolean;
  /** Runs SQL text with several statements. */
  readonly execute: (text: string) => void;
  readonly close: () => void;
}

/** A prepared statement and the names of its columns. */
interface Statement {
  readonly prepared: Libsql.Statement<unknown[]>;
  readonly columns: readonly string[];
}

/** Maximum prepared statements kept, one for each shape of a query. */
const maxStatements = 500;

/** Creates a query builder for these tables. It cannot run queries. */
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

/** Wraps a connection as a database. Calls `beforeClose` after the last commit, before it closes the connection. */
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
      // Reinserting keeps the map in order of use, so that the first entry is the least recently used.
      statements.delete(text);
      statements.set(text, known);
      return known;
    }
    const prepared = connection.prepare<unknown[]>(text);
    const columns = prepared.columns().map(({ name }) => name);
    // Raw rows, because the driver adds an extra field to the first row object.
    if (columns.length > 0) prepared.raw(true);
    const statement = { prepared, columns };
    statements.set(text, statement);
    const [oldest] = statements.keys();
    if (statements.size > maxStatements && oldest !== undefined) statements.delete(oldest);
    return statement;
  }

  function beginWrite(): void {
    version++;
    group.begin();
  }

  /** Runs a write and reports its failure to the group. */
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
        // If SQLite has rolled back by itself, the savepoint is gone.
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

/** The driver aborts the process when it is given a boolean. */
function bindable(value: unknown): unknown {
  return typeof value === "boolean" ? Number(value) : value;
}

/** Placeholder for an argument while a query is compiled. */
interface Placeholder {
  readonly position: number;
}

/**
 * Creates a parameterized query that is compiled only once, because compiling costs as much as a query that finds one row.
 * `build` must use its arguments only as values, never to choose the shape of the query.
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
