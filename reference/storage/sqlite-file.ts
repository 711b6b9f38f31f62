import { closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import type Libsql from "libsql";
import { DataFolderError, isOutOfSpace } from "./errors.js";

/**
 * Turns on write-ahead logging, except on a full disk: the database can be read without it, and commits are as safe, only
 * slower.
 */
export function useWriteAheadLog(connection: Libsql.Database): void {
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
export function createFile(file: string): void {
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
export function unlock(connection: Libsql.Database): void {
  try {
    connection.pragma("journal_mode = delete");
    connection.pragma("locking_mode = normal");
    connection.exec("begin immediate; commit");
  } catch {
    // For example, the disk is full. All commits are on the disk already; only the lock stays.
  }
}

/** Converts an error of opening a data folder to one that says why the folder cannot be used, and what to do. */
export function toRefusal(folder: string, schema: Pick<Schema, "file">, error: unknown): DataFolderError {
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
export function migrate(connection: Libsql.Database, schema: Schema): void {
  const { migrations, applicationId } = schema;
  const applied = schemaVersion(connection, schema);
  if (applied === migrations.length) return;
  connection.exec("begin immediate");
  try {
    for (const migration of migrations.slice(applied)) connection.exec(migration);
    connection.exec(`pragma application_id = ${applicationId}; pragma user_version = ${migrations.length}; commit`);
  } catch (error) {
    // On a full disk, SQLite rolls back by itself.
    if (connection.inTransaction) connection.exec("rollback");
    throw error;
  }
}

/**
 * The schema version of a database; 0 if it is empty. Changes nothing. Throws a `DataFolderError` if the file is
 * damaged or belongs to another program or a newer version.
 */
export function schemaVersion(connection: Libsql.Database, schema: Schema): number {
  const { version, newest } = readSchemaState(connection, schema);
  if (version <= newest) return version;
  throw new DataFolderError(
    `${schema.file} has schema version ${version}, and this server knows versions up to ${newest}; run a newer server`,
  );
}

/** The schema version of a database, and the newest one that this server knows. */
export interface SchemaState {
  /** 0 if the database is empty. */
  readonly version: number;
  readonly newest: number;
}

/** Like `schemaVersion`, also for newer versions. */
export function readSchemaState(connection: Libsql.Database, { file, applicationId, migrations }: Schema): SchemaState {
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
  return { version, newest: migrations.length };
}

function pragma(connection: Libsql.Database, name: string): number {
  const rows = connection.pragma(name) as Record<string, number>[];
  return Number(rows[0]?.[name] ?? 0);
}

/** File, identity and migrations of a database. */
export interface Schema {
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
