import { renderPublicContent } from "../messages/render-content.js";
import type { Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";
import { readBuild, version } from "./build.js";
import { isIncompatible } from "./client-compatibility.js";
import { readLoginMethods } from "./login-methods.js";
import { canonicalUrl, hasWebPublicChannel, organizationAt } from "./organization-address.js";

/** A plain square; organizations have no logos. */
const icon =
  "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%201%201'%3E%3Crect%20width='1'%20height='1'%20fill='%23456'/%3E%3C/svg%3E";

/**
 * Returns the server settings (Get server settings). Includes the fields of the organization at the address of the request. Accounts log in
 * with e-mail address and API key, so `email` is enabled and `password` is not. The server is not a fork, so its merge base is its
 * version.
 */
export function createGetServerSettings({ database }: Services): Operation<"getServerSettings"> {
  return async ({ featureLevel, header }) => {
    const loginMethods = await readLoginMethods(database);
    const { knowsMergeBase = true } = await readBuild(database);
    const realm = await organizationAt(database, header("x-forwarded-host") ?? header("host"));
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
      service_merge_base: knowsMergeBase ? version : "",
      push_notifications_enabled: await hasPushService(database),
      is_incompatible: isIncompatible(header("user-agent")),
      email_auth_enabled: true,
      require_email_format_usernames: !loginMethods.ldap,
      ...(realm === undefined ? {} : await realmSettings(database, realm)),
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
  const url = canonicalUrl(realm);
  return {
    realm_url: url,
    realm_uri: url,
    realm_name: realm.name,
    realm_icon: icon,
    realm_description: (await renderPublicContent(database, realm.id, realm.description)).html,
    realm_web_public_access_enabled: await hasWebPublicChannel(database, realm),
  };
}
