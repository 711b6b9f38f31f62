import type { Behaviour, OperationId } from "../behaviour.js";
import {
  always,
  changesParameters,
  changesSuccess,
  failure,
  forgives,
  isJson,
  jsonOf,
  listOf,
  parametersOf,
  success,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { headerOf, type WireRequest } from "../wire.js";

/** Behaviour of push devices, server settings and conventions that the requirements permit and the contract advises against. */
export const settingsRecommendationFaults: readonly Fault[] = ofFamily("recommendations on users", [
  [
    "device-registered-once",
    "refuses a `push_account_id` that is already registered",
    refusesSecond("registerPushDevice", (request) => parametersOf(request).get("push_account_id")),
    ["push.register.again"],
    ["workflow push-register-again"],
  ],
  [
    "any-relay-key-accepted",
    "accepts every public key of a push relay",
    forgives("registerPushDevice", "Invalid bouncer_public_key"),
    ["push.register.unknown-bouncer-key"],
    ["workflow push-register-again"],
  ],
  [
    "token-of-another-user-removed",
    "says that the tokens of other users were removed",
    forgives("removeAndroidToken", "Token does not exist"),
    ["push.remove-android-token.own-only"],
    ["workflow push-remove-android-token-twice"],
  ],
  [
    "ios-token-added-once",
    "refuses an iOS token that was already added",
    refusesSecond("addIosDeviceToken", (request) => parametersOf(request).get("token")),
    ["push.add-ios-token.again"],
    ["workflow push-add-ios-token-again"],
  ],
  [
    "settings-need-valid-credentials",
    "refuses server settings to unknown users",
    always(["getServerSettings"], (request, forward) =>
      headerOf(request, "Authorization") === undefined
        ? forward(request)
        : failure(401, "UNAUTHORIZED", "Unknown user"),
    ),
    ["server-settings.get.credentials-ignored"],
    ["workflow server-settings-realm-uri"],
  ],
  [
    "extra-field-in-success",
    "adds a field to successes without fields of their own",
    changesSuccess(["muteUser"], (body) => {
      body.muted_at = 1;
    }),
    ["conventions.nothing-else"],
    ["workflow conventions-nothing-else"],
  ],
  [
    "operation-missing-at-level",
    "lacks an operation that its feature level has",
    always(["removeNavigationView"], () => failure(404, "BAD_REQUEST", "There is nothing here")),
    ["server-settings.get.level-supports"],
    ["workflow conventions-level"],
  ],
  [
    "settings-without-description",
    "omits the description of the realm from its settings",
    changesSuccess(["getServerSettings"], (body) => {
      delete body.realm_description;
    }),
    ["server-settings.get.fields"],
    ["workflow server-settings-fields"],
  ],
  [
    "icon-for-every-login-method",
    "returns an icon for a login method that has none",
    changesSuccess(["getServerSettings"], (body) => {
      const { external_authentication_methods: methods } = body;
      for (const method of listOf(methods)) method.display_icon = "/static/any.svg";
    }),
    ["server-settings.get.display-icon-null"],
    ["workflow server-settings-login-methods"],
  ],
  [
    "level-decreases",
    "returns a lower feature level from time to time",
    {
      on: ["getServerSettings"],
      start: () => {
        let count = 0;
        return async (request, forward) => {
          const answer = await forward(request);
          const body = jsonOf(answer);
          // The first request chooses the contract.
          if (++count % 3 !== 0 || body === undefined) return answer;
          return success({ ...body, service_feature_level: 400 });
        };
      },
    },
    ["server-settings.get.level-increases"],
    ["workflow server-settings-level"],
  ],
  [
    "login-methods-by-name",
    "lists external login methods in alphabetic order",
    changesSuccess(["getServerSettings"], (body) => {
      const { external_authentication_methods: methods } = body;
      if (Array.isArray(methods)) body.external_authentication_methods = methods.toReversed();
    }),
    ["server-settings.get.display-order"],
    ["workflow server-settings-login-methods"],
  ],
  [
    "email-names-with-ldap",
    "requires e-mail addresses as user names even with LDAP",
    changesSuccess(["getServerSettings"], (body) => {
      body.require_email_format_usernames = true;
    }),
    ["server-settings.get.usernames-with-ldap"],
    ["workflow server-settings-login-methods"],
  ],
  [
    "login-method-without-key",
    "has no keys for external login methods in `authentication_methods`",
    changesSuccess(["getServerSettings"], (body) => {
      if (isJson(body.authentication_methods)) delete body.authentication_methods.guild;
    }),
    ["server-settings.get.authentication-providers"],
    ["workflow server-settings-login-methods"],
  ],
  [
    "topic-case-sensitive",
    "treats topics that differ only in letter case as different topics",
    changesParameters(["updateMutedTopic"], (parameters) => {
      const topic = parameters.get("topic") ?? "";
      if (/^[A-Z]+$/.test(topic)) parameters.set("topic", `${topic}-`);
    }),
    ["topics.mute.letter-case"],
    ["workflow topics-mute-for-caller"],
  ],
]);

/** Refuses the second request with the same value. */
function refusesSecond(on: OperationId, keyOf: (request: WireRequest) => unknown): Behaviour {
  return {
    on: [on],
    start: () => {
      const seen = new Set<string>();
      return async (request, forward) => {
        const key = `${headerOf(request, "Authorization")} ${keyOf(request)}`;
        if (seen.has(key)) return failure(400, "BAD_REQUEST", "Once is enough");
        const answer = await forward(request);
        if (answer.status === 200) seen.add(key);
        return answer;
      };
    },
  };
}
