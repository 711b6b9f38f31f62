import type { Database } from "../storage/database.js";

/** How users log in to the server, apart from e-mail address and API key. Only a provider state changes it. */
export interface LoginMethods {
  readonly ldap: boolean;
  /** In display order. */
  readonly external: readonly ExternalMethod[];
}

/** A login at an external provider. */
export interface ExternalMethod {
  readonly name: string;
  readonly display_name: string;
  readonly display_icon: string | null;
}

/** Reads the login methods of the server; a new server has none. */
export async function readLoginMethods(database: Database): Promise<LoginMethods> {
  const server = await database.selectFrom("server").select("login_methods").where("id", "=", 1).executeTakeFirst();
  return server === undefined ? { ldap: false, external: [] } : JSON.parse(server.login_methods);
}

/** Replaces the login methods of the server. */
export async function storeLoginMethods(database: Database, methods: LoginMethods): Promise<void> {
  const login_methods = JSON.stringify(methods);
  await database
    .insertInto("server")
    .values({ id: 1, login_methods })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ login_methods }))
    .execute();
}
