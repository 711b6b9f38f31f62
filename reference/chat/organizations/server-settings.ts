import type { Database } from "../storage/database.js";

/** Settings of the whole server. Only provider states change them. */
export interface ServerSettings {
  /** Whether users log in by LDAP, apart from e-mail address and API key. */
  readonly ldap: boolean;
  /** Logins at external providers, in display order. */
  readonly external: readonly {
    readonly name: string;
    readonly display_name: string;
    readonly display_icon: string | null;
  }[];
  /** Whether the server knows its merge base. */
  readonly knowsMergeBase: boolean;
}

const defaults: ServerSettings = { ldap: false, external: [], knowsMergeBase: true };

/** Reads the settings of the server. */
export async function readServerSettings(database: Database): Promise<ServerSettings> {
  const server = await database.selectFrom("server").selectAll().where("id", "=", 1).executeTakeFirst();
  return server === undefined
    ? defaults
    : { ...defaults, ...JSON.parse(server.login_methods), ...JSON.parse(server.build) };
}

/** Changes settings of the server. */
export async function storeServerSettings(database: Database, changes: Partial<ServerSettings>): Promise<void> {
  const { knowsMergeBase, ...methods } = { ...(await readServerSettings(database)), ...changes };
  const row = { login_methods: JSON.stringify(methods), build: JSON.stringify({ knowsMergeBase }) };
  await database
    .insertInto("server")
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}
