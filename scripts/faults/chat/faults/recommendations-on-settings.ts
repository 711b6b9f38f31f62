import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { anonymous } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { failure, jsonOf, listOf, success, unauthorized } from "../messages.js";

/** Behaviour of push devices, server settings and conventions that the requirements permit and the contract advises against. */
export const settingsRecommendationFaults: readonly ChatFault[] = ofFamily("recommendations on users", [
  fault("device-registered-once", "refuses a `push_account_id` that is already registered")
    .breaks("push.register.again")
    .refusesSecond("registerPushDevice", (parameters) => parameters.get("push_account_id")),
  fault("any-relay-key-accepted", "accepts every public key of a push relay")
    .breaks("push.register.unknown-bouncer-key")
    .forgives("registerPushDevice", "Invalid bouncer_public_key"),
  fault("ios-token-added-once", "refuses an iOS token that was already added")
    .breaks("push.add-ios-token.again")
    .refusesSecond("addIosDeviceToken", (parameters) => parameters.get("token")),
  fault("settings-need-valid-credentials", "refuses server settings to unknown users")
    .breaks("server-settings.get.credentials-ignored")
    .refuses("getServerSettings", (...request) => !anonymous(...request), unauthorized),
  fault("extra-field-in-success", "adds a field to successes without fields of their own")
    .breaks("conventions.nothing-else")
    .returns("muteUser", "muted_at", 1),
  fault("operation-missing-at-level", "lacks an operation that its feature level has")
    .breaks("removeNavigationView")
    .refuses("removeNavigationView", () => true, failure(404)),
  fault("settings-without-description", "omits the description of the realm from its settings")
    .breaks("server-settings.get.fields")
    .omits("getServerSettings", "realm_description"),
  fault("icon-for-every-login-method", "returns an icon for a login method that has none")
    .breaks("server-settings.get.display-icon-null")
    .returns("getServerSettings", "external_authentication_methods[].display_icon", "/static/any.svg"),
  fault("level-decreases", "returns a lower feature level with every request")
    .breaks("server-settings.get.level-increases")
    .by(
      remembers(
        "getServerSettings",
        () => ({ count: 0 }),
        async (request, forward, state) => {
          const response = await forward(request);
          const body = jsonOf(response);
          // The first request chooses the contract.
          if (++state.count === 1 || body === undefined) return response;
          return success({ ...body, service_feature_level: Number(body.service_feature_level) - state.count });
        },
      ),
    ),
  fault("login-methods-by-name", "lists external login methods in alphabetic order")
    .breaks("server-settings.get.display-order")
    .changes("getServerSettings", "external_authentication_methods", (methods) => listOf(methods).reverse()),
  fault("email-names-with-ldap", "requires e-mail addresses as user names even with LDAP")
    .breaks("server-settings.get.usernames-with-ldap")
    .returns("getServerSettings", "require_email_format_usernames", true),
  fault("login-method-without-key", "has no keys for external login methods in `authentication_methods`")
    .breaks("server-settings.get.authentication-providers")
    .omits("getServerSettings", "authentication_methods.guild"),
  fault("topic-case-sensitive", "treats topics that differ only in letter case as different topics")
    .breaks("topics.mute.letter-case")
    .reads("updateMutedTopic", "topic", (topic) => (/^[A-Z]+$/.test(topic) ? `${topic}-` : topic)),
]);
