import type Libsql from "libsql";
import { DataFolderError } from "./data-folder-error.js";
import type { Schema } from "./schema.js";

/**
 * How many migrations a database has had; 0 for an empty one. Changes nothing. Throws a `DataFolderError` when the file belongs to
 * another program, to a newer version of this one, or is damaged.
 */
export function schemaVersion(connection: Libsql.Database, { file, applicationId, migrations }: Schema): number {
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
