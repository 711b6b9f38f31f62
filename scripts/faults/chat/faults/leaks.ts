import { ofFamily } from "../../fault.js";
import { given, has } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { jsonOf, listIn, listOf, parametersOf, withJson } from "../messages.js";
import { asUser } from "../requests.js";

/** Responses with data that the caller must not see. */
export const leakFaults: readonly ChatFault[] = ofFamily("leaks", [
  fault("messages-of-another-organization", "returns messages of any organization by id")
    .breaks("messages.get.message-ids-inaccessible")
    .checkedBy("probe getMessages/message_ids-of-another-organization")
    .always("getMessages", async (request, forward, known) => {
      const response = await forward(request);
      const body = jsonOf(response);
      const [id] = listIn(parametersOf(request), "message_ids");
      const owner = known.ownerOf("message_id", id) ?? known.ownerOf("message_ids", id);
      const isForeign = owner !== undefined && owner.organization !== known.callerOf(request)?.organization;
      if (response.status !== 200 || body === undefined || !isForeign) return response;
      const other = jsonOf(await forward(asUser(request, owner)));
      return withJson(response, { ...body, messages: [...listOf(body.messages), ...listOf(other?.messages)] });
    }),
  fault("private-messages-by-id", "returns messages by id to callers who lack access")
    .breaks("authentication.private-channel")
    .checkedBy("case getMessages/by_inaccessible_id")
    .actsAs("getMessages", "other", has("message_ids")),
  fault("private-channels-in-public-search", "finds messages of private channels among those of public ones")
    .breaks("messages.get.public-channels-only")
    .checkedBy("case getMessages/private_channel_is_not_public")
    .reads("getMessages", "narrow", (narrow) => (narrow.includes("public") ? "[]" : narrow)),
  fault("status-in-another-organization", "returns the status of users of other organizations")
    .breaks("getUserStatus")
    .checkedBy("probe getUserStatus/user_id-of-another-organization")
    .retriesAs("getUserStatus", ({ path }, known) => known.ownerOf("user_id", path.user_id)),
  fault("gravatar-of-hidden-address", "returns null for the avatar of a sender whose address is hidden")
    .breaks("messages.get.avatar-url-hidden-email")
    .changesMessages((message, { parameters, request, known }) => {
      const hides = given((params) => JSON.stringify(params).includes("real_emails"));
      if (hides(parameters, request, known) && known.callerOf(request)?.caller !== "administrator")
        message.avatar_url = null;
    }),
  fault("edit-history-though-disallowed", "returns the edit history although the organization does not allow it")
    .breaks("messages.get.edit-history-disallowed")
    .changesMessages((message, { parameters, request, known }) => {
      const hides = given((params) => JSON.stringify(params).includes('"edit_history_visible":false'));
      if (!hides(parameters, request, known)) return;
      message.edit_history ??= [{ user_id: null, timestamp: 1_480_000_000, topic: "new", prev_topic: "old" }];
    }),
  fault("group-of-another-organization", "deactivates groups of other organizations")
    .breaks("user-groups.deactivate.invalid-group")
    .checkedBy("probe deactivateUserGroup/user_group_id-of-another-organization")
    .retriesAs("deactivateUserGroup", ({ path }, known) => known.ownerOf("user_group_id", path.user_group_id)),
]);
