import {
  always,
  changesError,
  changesParameters,
  changesSuccess,
  failure,
  forgives,
  isJson,
  jsonOf,
  listOf,
  parametersOf,
  refuses,
  refusesCaller,
  withJson,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";

/** Wrong handling of users. */
export const userFaults: readonly Fault[] = ofFamily("users", [
  [
    "own-user-muted",
    "allows users to mute themselves",
    forgives("muteUser", "Cannot mute self"),
    ["users.mute.own-user"],
    ["case muteUser/own_user"],
  ],
  [
    "muted-twice",
    "returns success for a user who is already muted",
    forgives("muteUser", "User already muted"),
    ["users.mute.already-muted"],
    ["case muteUser/already_muted"],
  ],
  [
    "unknown-user-muted",
    "returns success for an unknown user",
    forgives("muteUser", "No such user"),
    ["users.mute.unknown-user", "users.mute.inaccessible-user"],
    ["case muteUser/unknown_user", "case muteUser/inaccessible_user"],
  ],
  [
    "bots-not-muted",
    "does not allow muting bots",
    always(["muteUser"], (request, forward, known) => {
      const caller = known.callerOf(request);
      const bot = known.usersOf(caller?.organization ?? "").find((user) => user.caller === "bot");
      return String(bot?.userId) === request.path.muted_user_id
        ? failure(400, "BAD_REQUEST", "No such user")
        : forward(request);
    }),
    ["users.mute.bots"],
    ["case muteUser/bot"],
  ],
  [
    "away-means-present",
    "inverts `away`",
    changesSuccess(["getUserStatus"], (body) => {
      if (isJson(body.status) && typeof body.status.away === "boolean") body.status.away = !body.status.away;
    }),
    ["users.get-status.away"],
    ["case getUserStatus/away"],
  ],
  [
    "unset-status-as-empty-text",
    "returns an empty text for an unset status",
    changesSuccess(["getUserStatus"], (body) => {
      body.status = { status_text: "", ...(isJson(body.status) ? body.status : {}) };
    }),
    ["users.get-status.only-set-keys", "users.get-status.no-status"],
    ["workflow users-status-none"],
  ],
  [
    "status-of-caller",
    "returns the status of the caller instead of the requested user",
    always(["getUserStatus"], (request, forward, known) => {
      const { userId } = known.callerOf(request) ?? {};
      return forward(userId === undefined ? request : { ...request, target: `/api/v1/users/${userId}/status` });
    }),
    ["users.get-status.values"],
    ["case getUserStatus/text_only"],
  ],
  [
    "status-of-unknown-user",
    "returns an empty status for an unknown user",
    forgives("getUserStatus", "No such user", () => ({ status: {} })),
    ["users.get-status.unknown-user"],
    ["case getUserStatus/unknown_user"],
  ],
  [
    "status-emoji-by-name",
    "returns the name of an emoji instead of its code points",
    changesSuccess(["getUserStatus"], (body) => {
      if (isJson(body.status) && "emoji_code" in body.status) body.status.emoji_code = body.status.emoji_name;
    }),
    ["users.get-status.unicode-emoji"],
    ["workflow users-status-unicode-emoji"],
  ],
  [
    "guest-becomes-administrator",
    "allows promoting guests to administrators",
    forgives("updateUserByEmail", "Guests cannot be"),
    ["users.update-by-email.guest-to-administrator"],
    ["case updateUserByEmail/guest_to_administrator"],
  ],
  [
    "administrator-makes-owner",
    "allows administrators to add and remove owners",
    forgives("updateUserByEmail", "Must be an organization owner"),
    [
      "users.update-by-email.owner-role-added-by-owners-only",
      "users.update-by-email.owner-role-removed-by-owners-only",
    ],
    ["case updateUserByEmail/administrator_adds_owner", "case updateUserByEmail/administrator_removes_owner"],
  ],
  [
    "no-owner-left",
    "allows the only owner to give up the role",
    forgives("updateUserByEmail", "The owner permission cannot be removed"),
    ["users.update-by-email.only-owner"],
    ["case updateUserByEmail/only_owner"],
  ],
  [
    "address-changed-without-permission",
    "allows owners to change addresses without the permission",
    forgives("updateUserByEmail", "Insufficient permission"),
    ["users.update-by-email.new-email-permission"],
    ["case updateUserByEmail/new_email_without_permission"],
  ],
  [
    "dummy-address-unknown",
    "does not find users by their dummy addresses",
    always(["updateUserByEmail"], (request, forward) =>
      /^user\d+@/.test(request.path.email ?? "") ? failure(400, "BAD_REQUEST", "No such user") : forward(request),
    ),
    ["users.update-by-email.dummy-email"],
    ["case updateUserByEmail/dummy_email"],
  ],
  [
    "json-name-required",
    "requires names as JSON text, as before feature level 106",
    refuses("updateUserByEmail", (parameters) => !(parameters.get("full_name") ?? '"').startsWith('"')),
    ["users.update-by-email.full-name"],
    ["case updateUserByEmail/plain_name"],
  ],
  [
    "only-user-deactivated",
    "deactivates the only user",
    forgives("deactivateOwnUser", "You are the only user"),
    ["users.deactivate-own.only-user"],
    ["case deactivateOwnUser/only_user"],
  ],
  [
    "last-owner-flag-wrong",
    "reports that the only owner is not the last one",
    changesError(["deactivateOwnUser"], (body) => {
      if ("is_last_owner" in body) body.is_last_owner = !body.is_last_owner;
    }),
    ["users.deactivate-own.only-owner"],
    ["case deactivateOwnUser/only_owner"],
  ],
  [
    "owners-may-not-leave",
    "does not allow owners to deactivate their accounts",
    refusesCaller(
      ["deactivateOwnUser"],
      "owner",
      failure(400, "CANNOT_DEACTIVATE_LAST_USER", "No", { entity: "organization owner", is_last_owner: true }),
    ),
    ["users.deactivate-own.owner-among-owners"],
    ["case deactivateOwnUser/one_of_two_owners"],
  ],
  [
    "roles-one-step-too-high",
    "sets a role that is one step too high",
    changesParameters(["updateUserByEmail"], (parameters) => {
      const role = parameters.get("role");
      if (role !== null) parameters.set("role", { 600: "400", 400: "300", 300: "200" }[role] ?? role);
    }),
    ["users.update-by-email.role"],
    ["workflow users-each-role"],
  ],
]);

/** Wrong handling of user groups. */
export const userGroupFaults: readonly Fault[] = ofFamily("user groups", [
  [
    "group-in-use-deactivated",
    "deactivates groups that are in use",
    forgives("deactivateUserGroup", "Cannot deactivate user group in use"),
    ["user-groups.deactivate.used-in-setting", "user-groups.deactivate.used-as-subgroup"],
    ["case deactivateUserGroup/in_setting", "case deactivateUserGroup/subgroup"],
  ],
  [
    "subgroup-deactivated",
    "deactivates groups that are subgroups of others",
    always(["deactivateUserGroup"], async (request, forward) => {
      const answer = await forward(request);
      const body = jsonOf(answer);
      const objections = listOf(body?.objections);
      const isOnlySubgroup =
        Array.isArray(body?.objections) && !objections.some(({ type }) => type === "realm" || type === "channel");
      return isOnlySubgroup ? withJson({ ...answer, status: 200 }, { result: "success", msg: "" }) : answer;
    }),
    ["user-groups.deactivate.used-as-subgroup"],
    ["case deactivateUserGroup/subgroup"],
  ],
  [
    "group-in-use-with-generic-code",
    "returns no specific code for groups in use, as before feature level 298",
    always(["deactivateUserGroup"], async (request, forward) => {
      const answer = await forward(request);
      return jsonOf(answer)?.code === "CANNOT_DEACTIVATE_GROUP_IN_USE"
        ? failure(400, "BAD_REQUEST", "Cannot deactivate user group in use")
        : answer;
    }),
    ["user-groups.deactivate.used-in-setting", "user-groups.deactivate.used-as-subgroup"],
    ["case deactivateUserGroup/in_setting", "case deactivateUserGroup/subgroup"],
  ],
  [
    "objections-without-settings",
    "does not report the settings that use a group",
    changesError(["deactivateUserGroup"], (body) => {
      for (const objection of listOf(body.objections)) objection.settings = [];
    }),
    ["user-groups.deactivate.objection-settings"],
    ["case deactivateUserGroup/in_setting"],
  ],
  [
    "objection-of-another-type",
    "reports the settings of the organization as those of the server",
    changesError(["deactivateUserGroup"], (body) => {
      for (const objection of listOf(body.objections)) objection.type = "server";
    }),
    ["user-groups.deactivate.objection-realm"],
    ["user-groups.deactivate.objection-realm"],
  ],
  [
    "unknown-group-deactivated",
    "returns success for an unknown group",
    forgives("deactivateUserGroup", "Invalid user group"),
    ["user-groups.deactivate.invalid-group"],
    ["case deactivateUserGroup/invalid_group"],
  ],
  [
    "unknown-subgroup-skipped",
    "skips unknown groups",
    forgives("updateSubgroups", "Invalid user group"),
    ["user-groups.update-subgroups.unknown-added-group", "user-groups.update-subgroups.unknown-deleted-group"],
    ["case updateSubgroups/unknown_added_group", "case updateSubgroups/unknown_deleted_group"],
  ],
  [
    "subgroups-not-added",
    "adds no subgroups",
    forgivingWithout("add"),
    ["user-groups.update-subgroups.add"],
    ["workflow user-groups-added-subgroup-is-used"],
  ],
  [
    "subgroups-not-removed",
    "removes no subgroups",
    forgivingWithout("delete"),
    ["user-groups.update-subgroups.delete"],
    ["workflow user-groups-removed-subgroup-is-free"],
  ],
  [
    "subgroups-of-deactivated-group-fixed",
    "does not allow changing the subgroups of deactivated groups, as before feature level 391",
    always(["updateSubgroups"], (request, forward, known) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      const isDeactivated = known
        .valuesOf(organization)
        .some(
          ({ params, values }) =>
            params.deactivated === true && String(values.user_group_id) === request.path.user_group_id,
        );
      return isDeactivated ? failure(400, "BAD_REQUEST", "User group is deactivated") : forward(request);
    }),
    ["user-groups.update-subgroups.deactivated-group"],
    ["case updateSubgroups/deactivated_group_add"],
  ],
  [
    "deletion-before-addition-lost",
    "reads only `add` if the request has both lists",
    changesParameters(["updateSubgroups"], (parameters) => {
      if (parameters.has("add")) parameters.delete("delete");
    }),
    ["user-groups.update-subgroups.delete"],
    ["workflow user-groups-both-lists"],
  ],
  [
    "only-first-subgroup",
    "reads only the first id of a list",
    changesParameters(["updateSubgroups"], (parameters) => {
      for (const name of ["add", "delete"]) {
        const [first] = (parameters.get(name) ?? "").match(/-?\d+/) ?? [];
        if (first !== undefined && parameters.get(name)?.startsWith("[")) parameters.set(name, `[${first}]`);
      }
    }),
    ["user-groups.update-subgroups.add", "user-groups.update-subgroups.delete"],
    ["workflow user-groups-every-id"],
  ],
]);

/** Ignores a list, even if that leaves nothing to do. */
function forgivingWithout(name: "add" | "delete") {
  return always(["updateSubgroups"], async (request, forward) => {
    const other = name === "add" ? "delete" : "add";
    const parameters = parametersOf(request);
    parameters.delete(name);
    // Removing an unrelated id has no effect.
    if (!parameters.has(other)) parameters.set("delete", `[${request.path.user_group_id}]`);
    return forward({ ...request, body: Buffer.from(String(parameters)) });
  });
}
