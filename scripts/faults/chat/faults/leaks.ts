import { parseJson } from "../../../../src/parse-json.js";
import { always, changesMessages, changesParameters, jsonOf, listOf, parametersOf, withJson } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { authorizationOf } from "../known-organizations.js";
import { withHeader } from "../wire.js";

/** Responses with data that the caller must not see. */
export const leakFaults: readonly Fault[] = ofFamily("leaks", [
  [
    "messages-of-another-organization",
    "returns messages of any organization by id",
    always(["getMessages"], async (request, forward, known) => {
      const answer = await forward(request);
      const body = jsonOf(answer);
      const ids = parseJson(parametersOf(request).get("message_ids") ?? "");
      const [id] = Array.isArray(ids) ? ids : [];
      const owner = known.ownerOf("message_id", id) ?? known.ownerOf("message_ids", id);
      const isForeign = owner !== undefined && owner.organization !== known.callerOf(request)?.organization;
      if (answer.status !== 200 || body === undefined || !isForeign) return answer;
      const other = await forward(withHeader(request, "Authorization", authorizationOf(owner)));
      return withJson(answer, { ...body, messages: [...listOf(body.messages), ...listOf(jsonOf(other)?.messages)] });
    }),
    ["messages.get.message-ids-inaccessible"],
    ["probe getMessages/message_ids-of-another-organization"],
  ],
  [
    "private-messages-by-id",
    "returns messages by id to callers who lack access",
    always(["getMessages"], async (request, forward, known) => {
      const ids = parseJson(parametersOf(request).get("message_ids") ?? "");
      const users = known.usersOf(known.callerOf(request)?.organization ?? "");
      const other = users.find(({ caller }) => caller === "other");
      if (!Array.isArray(ids) || other === undefined) return forward(request);
      return forward(withHeader(request, "Authorization", authorizationOf(other)));
    }),
    ["authentication.private-channel"],
    ["case getMessages/by_inaccessible_id"],
  ],
  [
    "private-channels-in-public-search",
    "finds messages of private channels among those of public ones",
    changesParameters(["getMessages"], (parameters) => {
      const narrow = parameters.get("narrow");
      if (narrow?.includes("public")) parameters.set("narrow", "[]");
    }),
    ["messages.get.public-channels-only"],
    ["case getMessages/private_channel_is_not_public"],
  ],
  [
    "status-in-another-organization",
    "returns the status of users of other organizations",
    always(["getUserStatus"], async (request, forward, known) => {
      const answer = await forward(request);
      const owner = known.ownerOf("user_id", request.path.user_id);
      return answer.status !== 400 || owner === undefined
        ? answer
        : forward(withHeader(request, "Authorization", authorizationOf(owner)));
    }),
    ["getUserStatus"],
    ["probe getUserStatus/user_id-of-another-organization"],
  ],
  [
    "gravatar-of-hidden-address",
    "returns null for the avatar of a sender whose address is hidden",
    changesMessages((message, { request, known }) => {
      const { organization = "", caller } = known.callerOf(request) ?? {};
      const hides = known.valuesOf(organization).some(({ params }) => JSON.stringify(params).includes("real_emails"));
      if (hides && caller !== "administrator") message.avatar_url = null;
    }),
    ["messages.get.avatar-url-hidden-email"],
    ["workflow reading-gravatar"],
  ],
  [
    "edit-history-though-disallowed",
    "returns the edit history although the organization does not allow it",
    changesMessages((message, { request, known }) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      const isHidden = known
        .valuesOf(organization)
        .some(({ params }) => JSON.stringify(params).includes('"edit_history_visible":false'));
      if (isHidden) {
        message.edit_history ??= [{ user_id: null, timestamp: 1_480_000_000, topic: "new", prev_topic: "old" }];
      }
    }),
    ["messages.get.edit-history-disallowed"],
    ["workflow edit-history-disallowed"],
  ],
  [
    "group-of-another-organization",
    "deactivates groups of other organizations",
    always(["deactivateUserGroup"], async (request, forward, known) => {
      const answer = await forward(request);
      const owner = known.ownerOf("user_group_id", request.path.user_group_id);
      return answer.status !== 400 || owner === undefined
        ? answer
        : forward(withHeader(request, "Authorization", authorizationOf(owner)));
    }),
    ["user-groups.deactivate.invalid-group"],
    ["probe deactivateUserGroup/user_group_id-of-another-organization"],
  ],
]);
