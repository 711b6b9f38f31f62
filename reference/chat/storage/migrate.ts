import type Libsql from "libsql";
import type { Database } from "./database.js";
import { migrations } from "./migrations/migrations.js";
import { applicationId, schemaVersion } from "./schema-version.js";

/** Runs the migrations that a database does not have yet, all or none. Throws as `schemaVersion` does. */
export function migrate(connection: Libsql.Database, database: Database): void {
  const version = schemaVersion(connection);
  if (version === migrations.length) return;
  database.transaction(() => {
    for (const migration of migrations.slice(version)) database.execute(migration);
    database.execute(`pragma application_id = ${applicationId}; pragma user_version = ${migrations.length}`);
  });
}
