import type { Behaviour, OperationId } from "../behaviour.js";
import {
  always,
  changesAnswer,
  changesError,
  changesSuccess,
  failure,
  forgives,
  isJson,
  jsonOf,
  listOf,
  parametersOf,
  refuses,
  refusesCaller,
  success,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { credentialsOf } from "../known-organizations.js";
import { asUser } from "../requests.js";
import { withHeader } from "../wire.js";

/** Behaviour of users, credentials and groups that the requirements permit and the contract advises against. */
export const userRecommendationFaults: readonly Fault[] = ofFamily("recommendations on users", [
  [
    "any-address-accepted",
    "accepts every address of a user, and unknown ones",
    forgives("updateUserByEmail", "No such user"),
    ["users.update-by-email.other-email"],
    ["workflow users-update-by-visible-address"],
  ],
  [
    "key-lost-with-address",
    "invalidates the API key of a user whose address changes",
    {
      on: ["updateUserByEmail", "getUserStatus"],
      start: () => {
        const changed = new Set<string>();
        return async (request, forward) => {
          const { email = "" } = credentialsOf(request) ?? {};
          if (changed.has(email)) return failure(401, "UNAUTHORIZED", "Invalid key");
          const answer = await forward(request);
          if (request.operationId === "updateUserByEmail" && answer.status === 200)
            changed.add(parametersOf(request).get("new_email") ?? "");
          return answer;
        };
      },
    },
    ["users.update-by-email.new-email-user-name"],
    ["workflow users-new-email-names-user"],
  ],
  [
    "any-new-address-accepted",
    "accepts a new address that is malformed or in use",
    forgives("updateUserByEmail", "new_email is"),
    ["users.update-by-email.new-email-refused"],
    ["workflow users-new-email-names-user"],
  ],
  [
    "nothing-to-update-refused",
    "refuses an update without parameters",
    refuses("updateUserByEmail", (parameters) => [...parameters.keys()].every((name) => name === "colour")),
    ["users.update-by-email.no-change"],
    ["workflow users-update-values"],
  ],
  [
    "guest-made-owner",
    "accepts a promotion of a guest to owner",
    forgives("updateUserByEmail", "Guests cannot be"),
    ["users.update-by-email.role-refused"],
    ["workflow users-update-values"],
  ],
  [
    "bot-not-updated",
    "does not update bots",
    refuses("updateUserByEmail", (_, { path }) => path.email?.startsWith("bot@") === true),
    ["users.update-by-email.any-account"],
    ["workflow users-update-values"],
  ],
  [
    "any-profile-value-accepted",
    "accepts every value of a profile field",
    forgivesIf("updateUserByEmail", (parameters) => parameters.has("profile_data")),
    ["users.update-by-email.profile-data-refused"],
    ["workflow users-update-values"],
  ],
  [
    "away-false",
    "returns `away` as false for users who are not away",
    changesSuccess(["getUserStatus"], (body) => {
      if (isJson(body.status)) body.status.away ??= false;
    }),
    ["users.get-status.away-omitted"],
    ["workflow users-status-none"],
  ],
  [
    "no-status-of-deactivated-user",
    "refuses to return the status of a deactivated user",
    refusesUser("getUserStatus", "deactivated"),
    ["users.get-status.accounts"],
    ["workflow users-status-accounts"],
  ],
  [
    "deactivated-user-not-muted",
    "refuses to mute a deactivated user",
    refusesUser("muteUser", "deactivated"),
    ["users.mute.deactivated"],
    ["workflow muting-users-twice"],
  ],
  [
    "deactivated-key-accepted",
    "accepts the key of a user who deactivated their own account",
    {
      on: ["deactivateOwnUser", "getUserStatus"],
      start: (known) => {
        const gone = new Set<string>();
        return async (request, forward) => {
          const { email = "" } = credentialsOf(request) ?? {};
          const { organization = "" } = known.callerOf(request) ?? {};
          const owner = known.usersOf(organization).find(({ caller }) => caller === "owner");
          const answer = await forward(gone.has(email) && owner ? asUser(request, owner) : request);
          if (request.operationId === "deactivateOwnUser" && answer.status === 200) gone.add(email);
          return answer;
        };
      },
    },
    ["users.deactivate-own.credentials"],
    ["workflow users-deactivate-own"],
  ],
  [
    "bot-not-deactivated",
    "does not let bots deactivate their accounts",
    refusesCaller(["deactivateOwnUser"], "bot"),
    ["users.deactivate-own.bots"],
    ["workflow users-deactivate-last-owner"],
  ],
  [
    "address-case-sensitive",
    "distinguishes letter case in the addresses of credentials",
    always(["getUserStatus"], (request, forward) =>
      /[A-Z]/.test(credentialsOf(request)?.email ?? "")
        ? failure(401, "UNAUTHORIZED", "Invalid address")
        : forward(request),
    ),
    ["authentication.email-case"],
    ["workflow users-new-email-names-user"],
  ],
  [
    "no-challenge",
    "omits `WWW-Authenticate` from responses with status 401",
    changesAnswer(["getUserStatus"], (answer) =>
      answer.status === 401 ? withHeader(answer, "WWW-Authenticate") : answer,
    ),
    ["authentication.challenge"],
    ["workflow authentication-basic"],
  ],
  [
    "own-code-for-mute-refusals",
    "has a code of its own for refusals to mute a topic",
    changesError(["updateMutedTopic"], (body) => {
      body.code = "TOPIC_NOT_MUTED";
    }),
    ["errors.generic-code"],
    ["workflow errors-generic-code"],
  ],
  [
    "messages-read-later",
    "marks the messages of a muted user as read some time after the response",
    always(["muteUser"], (request, forward, known) => {
      if (known.callerOf(request)?.caller !== "administrator") return forward(request);
      setTimeout(() => void Promise.resolve(forward(request)).catch(() => {}), 2000);
      return success();
    }),
    ["conventions.effects-complete"],
    ["workflow muting-users-existing-messages"],
  ],
  [
    "nothing-to-change-accepted",
    "accepts a change of subgroups without `add` or `delete`",
    forgives("updateSubgroups", "Nothing to do"),
    ["user-groups.update-subgroups.refused-changes"],
    ["workflow user-groups-refused-changes"],
  ],
  [
    "subgroups-for-administrators-only",
    "lets only administrators change subgroups",
    refusesCaller(["updateSubgroups"], "member"),
    ["user-groups.update-subgroups.permission"],
    ["workflow user-groups-refused-changes"],
  ],
  [
    "repeated-deactivation-accepted",
    "returns success when a deactivated group is deactivated again",
    forgives("deactivateUserGroup", "User group is deactivated"),
    ["user-groups.deactivate.again"],
    ["workflow user-groups-refused-changes"],
  ],
  [
    "subgroup-of-deactivated-in-use",
    "refuses to deactivate a group that is a subgroup of a deactivated group",
    {
      on: ["deactivateUserGroup"],
      start: (known) => {
        const deactivated = new Set<unknown>();
        return async (request, forward) => {
          const id = request.path.user_group_id;
          const groups = known.valuesOf(known.callerOf(request)?.organization ?? "");
          const own = groups.find(({ values }) => String(values.user_group_id) === id);
          const isUsed = groups.some(
            ({ params, values }) =>
              deactivated.has(String(values.user_group_id)) && [params.subgroups].flat().includes(own?.params.name),
          );
          if (isUsed) return failure(400, "CANNOT_DEACTIVATE_GROUP_IN_USE", "In use", { objections: [] });
          const answer = await forward(request);
          if (answer.status === 200) deactivated.add(id);
          return answer;
        };
      },
    },
    ["user-groups.deactivate.subgroup-of-deactivated"],
    ["workflow user-groups-refused-changes"],
  ],
  [
    "group-in-channel-setting-deactivated",
    "deactivates a group that only a setting of a channel uses",
    always(["deactivateUserGroup"], async (request, forward) => {
      const answer = await forward(request);
      const objections = listOf(jsonOf(answer)?.objections);
      return objections.length > 0 && objections.every(({ type }) => type === "channel") ? success() : answer;
    }),
    ["user-groups.deactivate.used-in-channel-setting"],
    ["case deactivateUserGroup/in_channel_setting"],
  ],
  [
    "channel-objections-omitted",
    "does not name the channels that use a group",
    changesError(["deactivateUserGroup"], (body) => {
      if (Array.isArray(body.objections))
        body.objections = body.objections.filter((objection) => objection.type !== "channel");
    }),
    ["user-groups.deactivate.objections"],
    ["workflow user-groups-objections"],
  ],
  [
    "group-mentions-not-found",
    "finds no mentions of groups",
    changesSuccess(["getMessages"], (body, { request }) => {
      if (request.target.includes("mentioned")) body.messages = [];
    }),
    ["user-groups.deactivate.active-mentions"],
    ["workflow user-groups-deactivated-unmentioned"],
  ],
  [
    "deactivated-group-gives-permission",
    "lets members of a deactivated group do what the group may do",
    always(["unsubscribe"], async (request, forward, known) => {
      const answer = await forward(request);
      const { organization = "", caller } = known.callerOf(request) ?? {};
      const setups = known.valuesOf(organization).map(({ params }) => params);
      const deactivated = setups.flatMap((params) => (params.deactivated === true ? [params.name] : []));
      const isMember = setups.some(
        ({ name, members }) => deactivated.includes(name) && [members].flat().includes(caller),
      );
      const owner = known.usersOf(organization).find((user) => user.caller === "owner");
      return answer.status === 400 && isMember && owner ? forward(asUser(request, owner)) : answer;
    }),
    ["user-groups.deactivate.no-permissions"],
    ["workflow user-groups-deactivated-without-permissions"],
  ],
]);

/** Returns success instead of an error if a condition holds. */
function forgivesIf(on: OperationId, condition: (parameters: URLSearchParams) => boolean): Behaviour {
  return always([on], async (request, forward) => {
    const answer = await forward(request);
    return answer.status >= 400 && condition(parametersOf(request)) ? success() : answer;
  });
}

/** Refuses requests about a caller of the provider states. */
function refusesUser(on: OperationId, caller: string): Behaviour {
  return always([on], (request, forward, known) => {
    const id = request.path.user_id ?? request.path.muted_user_id;
    const users = known.usersOf(known.callerOf(request)?.organization ?? "");
    const isRefused = users.some((user) => user.caller === caller && String(user.userId) === id);
    return isRefused ? failure(400, "BAD_REQUEST", "No such user") : forward(request);
  });
}
