import type Libsql from "libsql";
import type { Schema } from "./schema.js";
import { schemaVersion } from "./schema-version.js";

/** Runs the migrations that a database does not have yet, all or none, and commits them. Throws as `schemaVersion` does. */
export function migrate(connection: Libsql.Database, schema: Schema): void {
  const { migrations, applicationId } = schema;
  const version = schemaVersion(connection, schema);
  if (version === migrations.length) return;
  connection.exec("begin immediate");
  try {
    for (const migration of migrations.slice(version)) connection.exec(migration);
    connection.exec(`pragma application_id = ${applicationId}; pragma user_version = ${migrations.length}; commit`);
  } catch (error) {
    // A full disk makes SQLite end the transaction by itself.
    if (connection.inTransaction) connection.exec("rollback");
    throw error;
  }
}
