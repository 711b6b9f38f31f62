import type Libsql from "libsql";
import type { Database } from "./database.js";
import type { Schema } from "./schema.js";
import { schemaVersion } from "./schema-version.js";

/** Runs the migrations that a database does not have yet, all or none. Throws as `schemaVersion` does. */
export function migrate<Tables>(connection: Libsql.Database, database: Database<Tables>, schema: Schema): void {
  const { migrations, applicationId } = schema;
  const version = schemaVersion(connection, schema);
  if (version === migrations.length) return;
  database.transaction(() => {
    for (const migration of migrations.slice(version)) database.execute(migration);
    database.execute(`pragma application_id = ${applicationId}; pragma user_version = ${migrations.length}`);
  });
}
