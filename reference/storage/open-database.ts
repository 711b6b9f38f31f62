import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { createDatabase, type Database } from "./database.js";
import { createFile, migrate, type Schema, schemaVersion, toRefusal, unlock, useWriteAheadLog } from "./sqlite-file.js";

/**
 * Opens the database of a data folder, which is created if missing, and migrates its schema. Without a folder, the database is
 * in memory.
 *
 * Commits are on the disk when they return (write-ahead log, full synchronisation). The file is locked until the database is
 * closed or the process exits. Throws a `DataFolderError` if the folder is in use or not writable, or if the file is not a
 * database or belongs to another program or a newer server; that file stays unchanged.
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
    throw folder === undefined ? error : toRefusal(folder, schema, error);
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
