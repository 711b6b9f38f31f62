import type { CompiledQuery, QueryResult } from "kysely";
import type Libsql from "libsql";
import { LRUCache } from "lru-cache";

/** A prepared statement. */
export interface Statement {
  readonly prepared: Libsql.Statement<unknown[]>;
  /** Converts the rows of the driver to those of the query; undefined for a statement that returns none. */
  readonly toRows: ((rows: readonly unknown[][]) => Record<string, unknown>[]) | undefined;
}

/** Creates the store of the statements of a connection, one for each shape of a query. */
export function createStatements(): LRUCache<string, Statement> {
  return new LRUCache({ max: 500 });
}

/** Makes a statement of what the driver prepared. */
export function toStatement(prepared: Libsql.Statement<unknown[]>): Statement {
  const columns = prepared.columns() as unknown as Column[];
  if (columns.length === 0) return { prepared, toRows: undefined };
  const toRow = rowOf(columns);
  return { prepared: prepared.raw(true), toRows: (rows) => rows.map(toRow) };
}

/** Whether a query only reads. */
export function isRead({ sql }: Pick<CompiledQuery, "sql">): boolean {
  return /^\s*(?:select\b|with\b(?!.*\b(?:insert into|update|delete from)\b))/is.test(sql);
}

interface Column {
  readonly name: string;
  /** The declared type of the column, if the value comes from one. */
  readonly type: string | null;
}

/** Names the values of a row. SQLite stores flags as 0 and 1. */
function rowOf(columns: readonly Column[]): (values: readonly unknown[]) => Record<string, unknown> {
  const names = columns.map(({ name }) => name);
  const flags = columns.flatMap(({ name, type }) => (type?.toLowerCase() === "boolean" ? [name] : []));
  // Copies have the hidden class of the template. Rows that get their columns one by one become slow dictionaries.
  const template = Object.fromEntries(names.map((name) => [name, null]));
  return (values) => {
    const row: Record<string, unknown> = { ...template };
    for (let index = 0; index < names.length; index++) row[names[index] as string] = values[index];
    for (const name of flags) if (row[name] !== null) row[name] = row[name] === 1;
    return row;
  };
}

/** Parameters as the driver accepts them: it aborts the process when it is given a boolean. */
export function bindable(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value) => (typeof value === "boolean" ? Number(value) : value));
}

/** The result of a statement that changes rows. */
export function changed({ changes, lastInsertRowid }: { changes: number; lastInsertRowid: number | bigint }) {
  return {
    rows: [],
    numAffectedRows: BigInt(changes),
    insertId: BigInt(lastInsertRowid),
  } satisfies QueryResult<unknown>;
}
