import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { DataFolderError } from "./data-folder-error.js";
import { createDatabase, type Database } from "./database.js";
import { migrate } from "./migrate.js";
import { isOutOfSpace } from "./out-of-space.js";
import type { Schema } from "./schema.js";
import { schemaVersion } from "./schema-version.js";

/**
 * Opens the database of a data folder, which is made when it does not exist, and brings its schema up to date. Without a folder the
 * database is in memory.
 *
 * A commit is on the disk when it returns (write-ahead log, full synchronisation). The file is locked until the database is closed
 * or the process ends, however it ends. Throws a `DataFolderError` when the folder is in use or cannot be written, and when the file
 * in it is no database, another program's or a newer server's; that file stays as it was.
 */
export function openDatabase<Tables>(schema: Schema, folder?: string): Database<Tables> {
  const connection = folder === undefined ? new Libsql(":memory:") : openFile(schema, folder);
  const database = createDatabase<Tables>(connection, () => {
    if (folder !== undefined) unlock(connection);
  });
  try {
    migrate(connection, schema);
  } catch (error) {
    database.close();
    throw folder === undefined ? error : refusalOf(folder, schema, error);
  }
  return database;
}

function openFile(schema: Schema, folder: string): Libsql.Database {
  const file = join(folder, schema.file);
  let connection: Libsql.Database | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    createFile(file);
    connection = new Libsql(file, { timeout: 0 });
    // Before the file is read, so that the log of a server that was killed needs no shared memory, for which a full disk has no room.
    connection.pragma("locking_mode = exclusive");
    schemaVersion(connection, schema);
    chmodSync(file, 0o600);
    useWriteAheadLog(connection);
    connection.pragma("synchronous = full");
    connection.pragma("foreign_keys = on");
    // Only a write takes the lock.
    connection.exec("begin immediate; commit");
    return connection;
  } catch (error) {
    connection?.close();
    throw refusalOf(folder, schema, error);
  }
}

/** On a full disk the database stays without one: what is there can be read, and commits are as safe, only slower. */
function useWriteAheadLog(connection: Libsql.Database): void {
  try {
    connection.pragma("journal_mode = wal");
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
  }
}

/**
 * Makes the file readable by its owner alone from the start: SQLite gives the write-ahead log the same mode. One that exists is not
 * even opened, since closing it would give up the lock that another server in this process has on it.
 */
function createFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) closeSync(openSync(file, "ax", 0o600));
  else if (stats.isDirectory()) {
    throw new DataFolderError(`${file} is a folder, not a database; move it away, or choose another data folder`);
  }
}

/** The driver leaves the lock to the end of the process, and SQLite gives it up only outside of write-ahead logging. */
function unlock(connection: Libsql.Database): void {
  try {
    connection.pragma("journal_mode = delete");
    connection.pragma("locking_mode = normal");
    connection.exec("begin immediate; commit");
  } catch {
    // A full disk, for instance. All commits are on the disk already; only the lock stays.
  }
}

function refusalOf(folder: string, schema: Schema, error: unknown): DataFolderError {
  if (error instanceof DataFolderError) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  if (code === "SQLITE_BUSY")
    return new DataFolderError(`${folder} is used by another server; stop that one, or choose another folder`);
  if (code === "SQLITE_NOTADB")
    return new DataFolderError(`${join(folder, schema.file)} is no database; choose another folder`);
  if (isOutOfSpace(error))
    return new DataFolderError(`${folder} is on a full disk; free some space there, or choose another folder`);
  return new DataFolderError(`${folder} cannot be used as a data folder: ${message}`);
}
