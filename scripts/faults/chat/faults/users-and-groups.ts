import { ofFamily } from "../../fault.js";
import { always } from "../changes.js";
import { from, has } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { failure, isError, jsonOf, listOf, parametersOf, success } from "../messages.js";

/** Wrong handling of users. */
export const userFaults: readonly ChatFault[] = ofFamily("users", [
  fault("own-user-muted", "allows users to mute themselves")
    .breaks("users.mute.own-user")
    .forgives("muteUser", "Cannot mute self"),
  fault("away-means-present", "inverts `away`")
    .breaks("users.get-status.away")
    .checkedBy("case getUserStatus/away")
    .changes("getUserStatus", "status.away", (away) => !away),
  fault("unset-status-as-empty-text", "returns an empty text for an unset status")
    .breaks("users.get-status.only-set-keys", "users.get-status.no-status")
    .checkedBy("workflow users-status-none")
    .adds("getUserStatus", "status.status_text", ""),
  fault("status-of-caller", "returns the status of the caller instead of the requested user")
    .breaks("users.get-status.values")
    .checkedBy("case getUserStatus/text_only")
    .changesRequest("getUserStatus", (request, known) => {
      const { userId } = known.callerOf(request) ?? {};
      return userId === undefined ? request : { ...request, target: `/api/v1/users/${userId}/status` };
    }),
  fault("status-emoji-by-name", "returns the name of an emoji instead of its code points")
    .breaks("users.get-status.unicode-emoji")
    .changes("getUserStatus", "status.emoji_code", (_, status) => status.emoji_name),
  fault("guest-becomes-administrator", "allows promoting guests to administrators")
    .breaks("users.update-by-email.guest-to-administrator")
    .checkedBy("case updateUserByEmail/guest_to_administrator")
    .forgives("updateUserByEmail", "Guests cannot be"),
  fault("last-owner-flag-wrong", "reports that the only owner is not the last one")
    .breaks("users.deactivate-own.only-owner")
    .checkedBy("case deactivateOwnUser/only_owner")
    .changes("deactivateOwnUser", "is_last_owner", (isLast) => !isLast),
  fault("owners-may-not-leave", "does not allow owners to deactivate their accounts")
    .breaks("users.deactivate-own.owner-among-owners")
    .checkedBy("case deactivateOwnUser/one_of_two_owners")
    .refuses(
      "deactivateOwnUser",
      from("owner"),
      failure(400, "CANNOT_DEACTIVATE_LAST_USER", "No", { entity: "organization owner", is_last_owner: true }),
    ),
  fault("roles-one-step-too-high", "sets a role that is one step too high")
    .breaks("users.update-by-email.role")
    .checkedBy("workflow users-each-role")
    .reads("updateUserByEmail", "role", (role) => ({ 600: "400", 400: "300", 300: "200" })[role] ?? role),
]);

/** Wrong handling of user groups. */
export const userGroupFaults: readonly ChatFault[] = ofFamily("user groups", [
  fault("subgroup-deactivated", "deactivates groups that are subgroups of others")
    .breaks("user-groups.deactivate.used-as-subgroup")
    .checkedBy("case deactivateUserGroup/subgroup")
    .changesResponse("deactivateUserGroup", (response) => {
      const { objections } = jsonOf(response) ?? {};
      const isInSetting = listOf(objections).some(({ type }) => type === "realm" || type === "channel");
      return Array.isArray(objections) && !isInSetting ? success() : undefined;
    }),
  fault("group-in-use-with-generic-code", "returns no specific code for groups in use, as before feature level 298")
    .breaks("user-groups.deactivate.used-in-setting", "user-groups.deactivate.used-as-subgroup")
    .checkedBy("case deactivateUserGroup/in_setting", "case deactivateUserGroup/subgroup")
    .changesResponse("deactivateUserGroup", (response) =>
      isError(response, "CANNOT_DEACTIVATE_GROUP_IN_USE") ? failure() : undefined,
    ),
  fault("objections-without-settings", "does not report the settings that use a group")
    .breaks("user-groups.deactivate.objection-settings")
    .checkedBy("case deactivateUserGroup/in_setting")
    .changes("deactivateUserGroup", "objections[].settings", () => []),
  fault("objection-of-another-type", "reports the settings of the organization as those of the server")
    .breaks("user-groups.deactivate.objection-realm")
    .changes("deactivateUserGroup", "objections[].type", () => "server"),
  fault("subgroups-not-added", "adds no subgroups")
    .breaks("user-groups.update-subgroups.add")
    .checkedBy("workflow user-groups-added-subgroup-is-used")
    .by(forgivingWithout("add")),
  fault("subgroups-not-removed", "removes no subgroups")
    .breaks("user-groups.update-subgroups.delete")
    .checkedBy("workflow user-groups-removed-subgroup-is-free")
    .by(forgivingWithout("delete")),
  fault("deletion-before-addition-lost", "reads only `add` if the request has both lists")
    .breaks("user-groups.update-subgroups.delete")
    .checkedBy("workflow user-groups-both-lists")
    .ignores("updateSubgroups", "delete", has("add")),
  fault("only-first-subgroup", "reads only the first id of a list")
    .breaks("user-groups.update-subgroups.add", "user-groups.update-subgroups.delete")
    .checkedBy("workflow user-groups-every-id")
    .readsList("updateSubgroups", ["add", "delete"], (ids) => ids.slice(0, 1)),
]);

/** Ignores a list, even if that leaves nothing to do. */
function forgivingWithout(name: "add" | "delete") {
  return always("updateSubgroups", async (request, forward) => {
    const other = name === "add" ? "delete" : "add";
    const parameters = parametersOf(request);
    parameters.delete(name);
    // Removing an unrelated id has no effect.
    if (!parameters.has(other)) parameters.set("delete", `[${request.path.user_group_id}]`);
    return forward({ ...request, body: Buffer.from(String(parameters)) });
  });
}
