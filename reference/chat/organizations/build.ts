import { readPackage } from "../../../src/read-package.js";
import type { Database } from "../storage/database.js";

/** The build of the server. Only a provider state changes it. */
export interface Build {
  /** Whether the server knows its merge base. Defaults to true. */
  readonly knowsMergeBase?: boolean;
}

/** The version of the server: the release of this package. */
export const version = readPackage()?.version ?? "unknown";

/** Reads the build of the server. */
export async function readBuild(database: Database): Promise<Build> {
  const server = await database.selectFrom("server").select("build").where("id", "=", 1).executeTakeFirst();
  return server === undefined ? {} : JSON.parse(server.build);
}

/** Replaces the build of the server. */
export async function storeBuild(database: Database, stored: Build): Promise<void> {
  const build = JSON.stringify(stored);
  const login_methods = JSON.stringify({ ldap: false, external: [] });
  await database
    .insertInto("server")
    .values({ id: 1, login_methods, build })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ build }))
    .execute();
}
