import { chmodSync, closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import Libsql from "libsql";
import { createDatabase, type Database } from "./database.js";
import { DataFolderError, isOutOfSpace } from "./errors.js";

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

/**
 * Turns on write-ahead logging, except on a full disk: the database can be read without it, and commits are as safe, only
 * slower.
 */
function useWriteAheadLog(connection: Libsql.Database): void {
  try {
    connection.pragma("journal_mode = wal");
  } catch (error) {
    if (!isOutOfSpace(error)) throw error;
  }
}

/**
 * Creates the file readable only by its owner; SQLite gives the write-ahead log the same mode. Does not open an existing file,
 * because closing it would release the lock of another server in this process.
 */
function createFile(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) closeSync(openSync(file, "ax", 0o600));
  else if (stats.isDirectory()) {
    throw new DataFolderError(`${file} is a folder, not a database; move it away, or choose another data folder`);
  }
}

/**
 * Releases the lock, which the driver would hold until the process exits. SQLite releases it only outside of write-ahead
 * logging.
 */
function unlock(connection: Libsql.Database): void {
  try {
    connection.pragma("journal_mode = delete");
    connection.pragma("locking_mode = normal");
    connection.exec("begin immediate; commit");
  } catch {
    // For example, the disk is full. All commits are on the disk already; only the lock stays.
  }
}

function toRefusal(folder: string, schema: Schema, error: unknown): DataFolderError {
  if (error instanceof DataFolderError) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  if (code === "SQLITE_BUSY")
    return new DataFolderError(`${folder} is used by another server; stop that one, or choose another folder`);
  if (code === "SQLITE_NOTADB")
    return new DataFolderError(`${join(folder, schema.file)} is not a database; choose another folder`);
  // A file where the folder, or one above it, should be.
  if (code === "EEXIST" || code === "ENOTDIR")
    return new DataFolderError(`${folder} is not a folder; choose another data folder`);
  if (code === "EACCES" || code === "EPERM" || code === "EROFS")
    return new DataFolderError(`${folder} cannot be written; change its permissions, or choose another data folder`);
  if (isOutOfSpace(error))
    return new DataFolderError(`${folder} is on a full disk; free some space there, or choose another folder`);
  return new DataFolderError(`${folder} cannot be used as a data folder: ${message}`);
}

/** Runs all pending migrations in one transaction. Throws like `schemaVersion`. */
function migrate(connection: Libsql.Database, schema: Schema): void {
  const { migrations, applicationId } = schema;
  const version = schemaVersion(connection, schema);
  if (version === migrations.length) return;
  connection.exec("begin immediate");
  try {
    for (const migration of migrations.slice(version)) connection.exec(migration);
    connection.exec(`pragma application_id = ${applicationId}; pragma user_version = ${migrations.length}; commit`);
  } catch (error) {
    // On a full disk, SQLite rolls back by itself.
    if (connection.inTransaction) connection.exec("rollback");
    throw error;
  }
}

/**
 * The number of migrations applied to a database; 0 if it is empty. Changes nothing. Throws a `DataFolderError` if the file is
 * damaged or belongs to another program or a newer version.
 */
function schemaVersion(connection: Libsql.Database, { file, applicationId, migrations }: Schema): number {
  const version = pragma(connection, "user_version");
  const owner = pragma(connection, "application_id");
  const isEmpty = version === 0 && owner === 0 && connection.prepare("select 1 from sqlite_schema").get() === undefined;
  if (!isEmpty && owner !== applicationId)
    throw new DataFolderError(`${file} belongs to another program; choose another data folder`);
  if (!isEmpty && version < 1) {
    throw new DataFolderError(
      `${file} is damaged: its schema version is ${version}; restore it from a backup, or choose another data folder`,
    );
  }
  if (version > migrations.length) {
    throw new DataFolderError(
      `${file} has schema version ${version}, and this server knows versions up to ${migrations.length}; run a newer server`,
    );
  }
  return version;
}

function pragma(connection: Libsql.Database, name: string): number {
  const rows = connection.pragma(name) as Record<string, number>[];
  return Number(rows[0]?.[name] ?? 0);
}

/** File, identity and migrations of a database. */
interface Schema {
  /** The file within the data folder, such as `chat.db`. */
  readonly file: string;
  /** Marks a file as ours: four ASCII letters as a number in SQLite's `application_id`. */
  readonly applicationId: number;
  /**
   * All migrations in order. The schema version of a file is the number of applied migrations; a released migration never
   * changes.
   */
  readonly migrations: readonly string[];
}
