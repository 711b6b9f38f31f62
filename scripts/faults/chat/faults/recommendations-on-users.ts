import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { from, isAbout } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { credentialsOf } from "../known-organizations.js";
import { failure, jsonOf, listOf, parametersOf, success, unauthorized } from "../messages.js";
import { asUser } from "../requests.js";
import { withHeader } from "../wire.js";

/** Behaviour of users, credentials and groups that the requirements permit and the contract advises against. */
export const userRecommendationFaults: readonly ChatFault[] = ofFamily("recommendations on users", [
  fault("key-lost-with-address", "invalidates the API key of a user whose address changes")
    .breaks("users.update-by-email.new-email-user-name")
    .by(
      remembers(
        ["updateUserByEmail", "getUserStatus"],
        () => new Set<string>(),
        async (request, forward, changed) => {
          if (changed.has(credentialsOf(request)?.email ?? "")) return unauthorized;
          const response = await forward(request);
          const isUpdate = request.operationId === "updateUserByEmail" && response.status === 200;
          if (isUpdate) changed.add(parametersOf(request).get("new_email") ?? "");
          return response;
        },
      ),
    ),
  fault("nothing-to-update-refused", "refuses an update without parameters")
    .breaks("users.update-by-email.no-change")
    .refuses("updateUserByEmail", (parameters) => [...parameters.keys()].every((name) => name === "colour")),
  fault("away-false", "returns `away` as false for users who are not away")
    .breaks("users.get-status.away-omitted")
    .adds("getUserStatus", "status.away", false),
  fault("no-status-of-deactivated-user", "refuses to return the status of a deactivated user")
    .breaks("users.get-status.accounts")
    .refuses("getUserStatus", isAbout("deactivated")),
  fault("deactivated-user-not-muted", "refuses to mute a deactivated user")
    .breaks("users.mute.deactivated")
    .refuses("muteUser", isAbout("deactivated")),
  fault("deactivated-key-accepted", "accepts the key of a user who deactivated their own account")
    .breaks("users.deactivate-own.credentials")
    .by(
      remembers(
        ["deactivateOwnUser", "getUserStatus"],
        () => new Set<string>(),
        async (request, forward, gone, known) => {
          const { email = "" } = credentialsOf(request) ?? {};
          const isGone = gone.has(email);
          const response = await forward(isGone ? asUser(request, known.colleagueOf(request, "owner")) : request);
          if (request.operationId === "deactivateOwnUser" && response.status === 200) gone.add(email);
          return response;
        },
      ),
    ),
  fault("bot-not-deactivated", "does not let bots deactivate their accounts")
    .breaks("users.deactivate-own.bots")
    .refuses("deactivateOwnUser", from("bot")),
  fault("address-case-sensitive", "distinguishes letter case in the addresses of credentials")
    .breaks("authentication.email-case")
    .refuses("getUserStatus", (_, request) => /[A-Z]/.test(credentialsOf(request)?.email ?? ""), unauthorized),
  fault("no-challenge", "omits `WWW-Authenticate` from responses with status 401")
    .breaks("authentication.challenge")
    .changesResponse("getUserStatus", (response) =>
      response.status === 401 ? withHeader(response, "WWW-Authenticate") : undefined,
    ),
  fault("own-code-for-mute-refusals", "has a code of its own for refusals to mute a topic")
    .breaks("errors.generic-code")
    .changes("updateMutedTopic", "code", () => "TOPIC_NOT_MUTED"),
  fault("messages-read-later", "marks the messages of a muted user as read some time after the response")
    .breaks("conventions.effects-complete")
    .always("muteUser", (request, forward, known) => {
      if (known.callerOf(request)?.caller !== "administrator") return forward(request);
      setTimeout(() => void Promise.resolve(forward(request)).catch(() => {}), 2000);
      return success();
    }),
  fault("subgroups-for-administrators-only", "lets only administrators change subgroups")
    .breaks("user-groups.update-subgroups.permission")
    .refuses("updateSubgroups", from("member")),
  fault("subgroup-of-deactivated-in-use", "refuses to deactivate a group that is a subgroup of a deactivated group")
    .breaks("user-groups.deactivate.subgroup-of-deactivated")
    .by(
      remembers(
        "deactivateUserGroup",
        () => new Set<unknown>(),
        async (request, forward, deactivated, known) => {
          const id = request.path.user_group_id;
          const groups = known.setupsOf(request);
          const own = groups.find(({ values }) => String(values.user_group_id) === id);
          const isUsed = groups.some(({ params, values }) => {
            return (
              deactivated.has(String(values.user_group_id)) && [params.subgroups].flat().includes(own?.params.name)
            );
          });
          if (isUsed) return failure(400, "CANNOT_DEACTIVATE_GROUP_IN_USE", "In use", { objections: [] });
          const response = await forward(request);
          if (response.status === 200) deactivated.add(id);
          return response;
        },
      ),
    ),
  fault("group-in-channel-setting-deactivated", "deactivates a group that only a setting of a channel uses")
    .breaks("user-groups.deactivate.used-in-channel-setting")
    .changesResponse("deactivateUserGroup", (response) => {
      const objections = listOf(jsonOf(response)?.objections);
      return objections.length > 0 && objections.every(({ type }) => type === "channel") ? success() : undefined;
    }),
  fault("channel-objections-omitted", "does not name the channels that use a group")
    .breaks("user-groups.deactivate.objections")
    .changes("deactivateUserGroup", "objections", (objections) =>
      listOf(objections).filter(({ type }) => type !== "channel"),
    ),
  fault("group-mentions-not-found", "finds no mentions of groups")
    .breaks("user-groups.deactivate.active-mentions")
    .changes("getMessages", "messages", (messages, _, { request }) =>
      request.target.includes("mentioned") ? [] : messages,
    ),
  fault("deactivated-group-gives-permission", "lets members of a deactivated group do what the group may do")
    .breaks("user-groups.deactivate.no-permissions")
    .retriesAs("unsubscribe", "owner", (_, request, known) => {
      const setups = known.setupsOf(request).map(({ params }) => params);
      const deactivated = setups.flatMap((params) => (params.deactivated === true ? [params.name] : []));
      const caller = known.callerOf(request)?.caller;
      return setups.some(({ name, members }) => deactivated.includes(name) && [members].flat().includes(caller));
    }),
]);
