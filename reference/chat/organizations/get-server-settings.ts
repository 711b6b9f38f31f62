import { readPackage } from "../../../src/base/read-package.js";
import { renderPublicContent } from "../messages/render-content.js";
import type { Operation, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";
import { squareUrl } from "../users/avatar.js";
import { isIncompatible } from "./client-compatibility.js";
import { canonicalUrl, hasWebPublicChannel, organizationAt } from "./organization-address.js";
import { readServerSettings } from "./server-settings.js";

/** The version of the server: the release of this package. */
export const version = readPackage()?.version ?? "unknown";

/**
 * Returns the server settings (Get server settings). Includes the fields of the organization at the address of the request. Accounts log in
 * with e-mail address and API key, so `email` is enabled and `password` is not. The server is not a fork, so its merge base is its
 * version.
 */
export function createGetServerSettings({ database }: Services): Operation<"getServerSettings"> {
  return async ({ featureLevel, header }) => {
    const { ldap, external, knowsMergeBase } = await readServerSettings(database);
    const realm = await organizationAt(database, header("x-forwarded-host") ?? header("host"));
    return {
      authentication_methods: {
        password: false,
        dev: false,
        email: true,
        ldap,
        remoteuser: false,
        saml: false,
        "openid connect": false,
        ...Object.fromEntries(external.map(({ name }) => [name, true])),
      },
      external_authentication_methods: external.map((method) => ({
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
      require_email_format_usernames: !ldap,
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
    realm_icon: squareUrl("%23456"),
    realm_description: (await renderPublicContent(database, realm.id, realm.description)).html,
    realm_web_public_access_enabled: await hasWebPublicChannel(database, realm),
  };
}
