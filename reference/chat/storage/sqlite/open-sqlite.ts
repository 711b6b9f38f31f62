import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import Libsql from "libsql";
import { DataFolderError } from "../../../storage/errors.js";
import {
  createFile,
  migrate,
  readSchemaState,
  type Schema,
  type SchemaState,
  schemaVersion,
  toRefusal,
  unlock,
  useWriteAheadLog,
} from "../../../storage/sqlite-file.js";
import { migrations } from "../migrations.js";
import type { Tables } from "../tables.js";
import { type ChatDatabase, defaultMaxLongReadMs } from "../transactions.js";
import { sqliteForms } from "./sql-forms.js";
import { createSqliteDriver } from "./sqlite-driver.js";
import { createThreadDriver } from "./thread-driver.js";

const schema: Schema = {
  file: "chat.db",
  applicationId: 0x63686174,
  migrations: migrations.map((migration) => `${migration(sqliteForms).join(";\n")};`),
};

/** Uploads leave this much space for other writes. */
const minFreeBytes = 4 * 1024 * 1024;

/**
 * Opens the SQLite database of a data folder, which is created if missing, and migrates its schema. Without a folder, the
 * database is in a temporary folder until it is closed.
 *
 * Commits in a data folder are on the disk when they return (write-ahead log, full synchronisation). The folder is locked until
 * the database is closed or the process exits. Throws a `DataFolderError` if the folder is in use or not writable, or if the
 * file is not a database or belongs to another program or another release; that file stays unchanged.
 */
export function openSqlite(
  dataFolder?: string,
  { maxLongReadMs = defaultMaxLongReadMs }: { readonly maxLongReadMs?: number } = {},
): ChatDatabase {
  const folder = dataFolder ?? mkdtempSync(join(tmpdir(), "accord-chat-"));
  const file = join(folder, schema.file);
  const removeTemporary = () => {
    if (dataFolder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  let lock: Libsql.Database | undefined;
  let writer: Libsql.Database | undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    createFile(file);
    lock = lockFolder(folder);
    writer = openWriter(file, dataFolder === undefined);
    migrate(writer, schema);
  } catch (error) {
    writer?.close();
    if (lock !== undefined) release(lock);
    removeTemporary();
    throw toRefusal(folder, schema, error);
  }
  const [held, connection] = [lock, writer];
  const database = createKysely(() => createSqliteDriver(connection, () => openReader(file)));
  const long = createKysely(() => createThreadDriver(file, maxLongReadMs));
  return {
    engine: "sqlite",
    database,
    write: (work) => database.transaction().execute(work),
    read: (work) => database.transaction().setAccessMode("read only").execute(work),
    longRead: (work) => long.transaction().setAccessMode("read only").execute(work),
    hasRoom: async (bytes) => {
      const { bavail, bsize, blocks } = await statfs(folder);
      // Some file systems report no sizes at all.
      return blocks === 0 || bavail * bsize - minFreeBytes >= bytes;
    },
    close: async () => {
      await long.destroy();
      await database.destroy();
      release(held);
      removeTemporary();
    },
  };
}

/** Reads the schema version of a data folder and changes nothing. Throws a `DataFolderError` if it has no readable database. */
export function readSqliteState(dataFolder: string): SchemaState {
  const file = join(dataFolder, schema.file);
  if (!existsSync(file)) throw new DataFolderError(`${dataFolder} has no ${schema.file}`);
  let reader: Libsql.Database | undefined;
  try {
    reader = new Libsql(file, { readonly: true, timeout: 1000 });
    return readSchemaState(reader, schema);
  } catch (error) {
    throw toRefusal(dataFolder, schema, error);
  } finally {
    reader?.close();
  }
}

function createKysely(createDriver: () => ReturnType<typeof createSqliteDriver>): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Locks the folder against other servers, with a lock that the system releases if the process dies. */
function lockFolder(folder: string): Libsql.Database {
  const file = join(folder, "chat.lock");
  createFile(file);
  const lock = new Libsql(file, { timeout: 0 });
  try {
    lock.pragma("locking_mode = exclusive");
    lock.exec("begin exclusive; commit");
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

function release(lock: Libsql.Database): void {
  unlock(lock);
  lock.close();
}

function openWriter(file: string, isTemporary: boolean): Libsql.Database {
  const writer = new Libsql(file, { timeout: 0 });
  try {
    schemaVersion(writer, schema);
    chmodSync(file, 0o600);
    useWriteAheadLog(writer);
    writer.pragma(`synchronous = ${isTemporary ? "off" : "full"}`);
    writer.pragma("foreign_keys = on");
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

function openReader(file: string): Libsql.Database {
  const reader = new Libsql(file, { timeout: 1000 });
  reader.pragma("query_only = on");
  return reader;
}
