import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import {
  createFile,
  migrate,
  type Schema,
  schemaVersion,
  toRefusal,
  unlock,
  useWriteAheadLog,
} from "../../storage/sqlite-file.js";

/** The database of a daemon. Statements run synchronously on one connection, so handlers interleave only where they await. */
export interface Database {
  /** Runs a query and returns all rows. */
  readonly all: <Row>(sql: string, ...values: readonly Value[]) => Row[];
  /** Runs a statement, whose changes are on the disk when it returns. Returns the id of the last inserted row. */
  readonly run: (sql: string, ...values: readonly Value[]) => number;
  /** Runs the work in a transaction. Its changes are on the disk when it returns, and rolled back if it throws. */
  readonly transaction: <Result>(work: () => Result) => Result;
  readonly close: () => void;
}

type Value = number | string | Uint8Array | null;

const initial = `
create table network (
  id integer primary key autoincrement,
  type integer not null,
  name text not null,
  selected_ordinal integer not null default 0
) strict;

create table node_block (
  network_id integer not null references network(id),
  first_ordinal integer not null,
  ordinals blob not null,
  nodes blob not null,
  primary key (network_id, first_ordinal)
) strict;
`;

const schema: Schema = { file: "daemon.db", applicationId: 0x64616d6e, migrations: [initial] };

/**
 * Opens the database of a data folder, which is created if missing, and migrates its schema. Without a folder, the database is
 * in memory.
 *
 * Commits are on the disk when they return (write-ahead log, full synchronisation). The file is locked until the database is
 * closed or the process exits. Throws a `DataFolderError` if the folder is in use or not writable, or if the file is not a
 * database or belongs to another program or a newer server; that file stays unchanged.
 */
export function openDaemonDatabase(folder?: string): Database {
  const connection = folder === undefined ? new Libsql(":memory:") : openFile(folder);
  const close = () => {
    if (folder !== undefined) unlock(connection);
    connection.close();
  };
  try {
    migrate(connection, schema);
  } catch (error) {
    close();
    throw folder === undefined ? error : toRefusal(folder, schema, error);
  }
  return {
    all: (sql, ...values) => connection.prepare(sql).all(values) as never,
    run: (sql, ...values) => Number(connection.prepare(sql).run(values).lastInsertRowid),
    transaction: (work) => {
      connection.exec("begin immediate");
      try {
        const result = work();
        connection.exec("commit");
        return result;
      } catch (error) {
        // On a full disk, SQLite rolls back by itself.
        if (connection.inTransaction) connection.exec("rollback");
        throw error;
      }
    },
    close,
  };
}

function openFile(folder: string): Libsql.Database {
  const file = join(folder, schema.file);
  let connection: Libsql.Database | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    createFile(file);
    connection = new Libsql(file, { timeout: 0 });
    // Set before the first read: otherwise the log of a killed server needs a shared-memory file, for which a full disk has no
    // room.
    connection.pragma("locking_mode = exclusive");
    schemaVersion(connection, schema);
    chmodSync(file, 0o600);
    useWriteAheadLog(connection);
    connection.pragma("synchronous = full");
    connection.pragma("foreign_keys = on");
    // Only a write acquires the lock.
    connection.exec("begin immediate; commit");
    return connection;
  } catch (error) {
    connection?.close();
    throw toRefusal(folder, schema, error);
  }
}
