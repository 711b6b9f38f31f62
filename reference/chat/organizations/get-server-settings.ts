import { readPackage } from "../../../src/read-package.js";
import { renderPublicContent } from "../messages/render-content.js";
import type { Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";
import { readLoginMethods } from "./login-methods.js";

/** A plain square; organizations have no logos. */
const icon =
  "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%201%201'%3E%3Crect%20width='1'%20height='1'%20fill='%23456'/%3E%3C/svg%3E";

/**
 * Returns the server settings (Get server settings). Includes the fields of an organization only if the server has exactly one;
 * otherwise every address is the root domain. Accounts log in with e-mail address and API key, so `email` is enabled and
 * `password` is not. The server is not a fork, so its merge base is its version, and it is compatible with every client.
 */
export function createGetServerSettings({ database }: Services): Operation<"getServerSettings"> {
  const version = readPackage()?.version ?? "unknown";
  return async ({ featureLevel }) => {
    const loginMethods = await readLoginMethods(database);
    const [realm, ...others] = await database.selectFrom("realm").selectAll().orderBy("id").limit(2).execute();
    return {
      authentication_methods: {
        password: false,
        dev: false,
        email: true,
        ldap: loginMethods.ldap,
        remoteuser: false,
        saml: false,
        "openid connect": false,
        ...Object.fromEntries(loginMethods.external.map(({ name }) => [name, true])),
      },
      external_authentication_methods: loginMethods.external.map((method) => ({
        ...method,
        login_url: `/login/${encodeURIComponent(method.name)}`,
        signup_url: `/register/${encodeURIComponent(method.name)}`,
      })),
      service_feature_level: featureLevel,
      service_version: version,
      service_merge_base: version,
      push_notifications_enabled: await hasPushService(database),
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: !loginMethods.ldap,
      ...(realm !== undefined && others.length === 0 ? await realmSettings(database, realm) : {}),
    };
  };
}

/** Whether some organization uses the push service. */
async function hasPushService(database: Database): Promise<boolean> {
  const found = await database
    .selectFrom("realm")
    .select("id")
    .where("push_service", "=", true)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

async function realmSettings(database: Database, realm: Realm) {
  const url = `https://${realm.host}`;
  return {
    realm_url: url,
    realm_uri: url,
    realm_name: realm.name,
    realm_icon: icon,
    realm_description: (await renderPublicContent(database, realm.id, realm.description)).html,
    realm_web_public_access_enabled: false,
  };
}
