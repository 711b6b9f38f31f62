import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { all, anonymous, has, is } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { isJson, jsonOf, listOf, parametersOf, success, unauthorized, withJson, withParameters } from "../messages.js";
import { fetchMessages } from "../requests.js";
import { headerOf } from "../wire.js";

/** Values, parameters and calls that are right by themselves, and wrong together. */
export const combinationFaults: readonly ChatFault[] = ofFamily("combinations", [
  fault("ids-with-first-condition-only", "reads only the first condition of `narrow` together with `message_ids`")
    .breaks("messages.get.narrow-all-conditions")
    .readsList("getMessages", "narrow", (terms, parameters) =>
      parameters.has("message_ids") ? terms.slice(0, 1) : terms,
    ),
  fault(
    "public-channels-without-conditions",
    "ignores all other conditions of a narrow if one selects all public channels",
  )
    .breaks("messages.get.narrow-all-conditions")
    .readsList("getMessages", "narrow", (terms) => {
      const aboutPublic = terms.filter((term) => isJson(term) && term.operator === "channels");
      return aboutPublic.length > 0 ? aboutPublic : terms;
    }),
  fault("gravatars-linked-by-id", "treats `client_gravatar` as false by default if `message_ids` is given")
    .breaks("messages.get.client-gravatar-default")
    .checkedBy("workflow reading-defaults-by-id")
    .assumes("getMessages", "client_gravatar", "false", has("message_ids")),
  fault("content-with-own-channel", "accepts `content` together with the `stream_id` of the channel of the message")
    .breaks("messages.edit.content-with-stream")
    .checkedBy("workflow editing-content-with-channel")
    .always("editMessage", async (request, forward) => {
      const operand = Number(parametersOf(request).get("stream_id"));
      const narrow = JSON.stringify([{ operator: "channel", operand }]);
      const own = await fetchMessages(request, forward, { message_ids: `[${request.path.message_id}]`, narrow });
      return forward(
        own.length > 0 ? withParameters(request, (parameters) => parameters.delete("stream_id")) : request,
      );
    }),
  fault("only-first-profile-value", "reads only the first entry of `profile_data`")
    .breaks("users.update-by-email.profile-data-refused")
    .readsList("updateUserByEmail", "profile_data", (entries) => entries.slice(0, 1)),
  fault("change-later-to-channel-moves-all", "moves the whole topic with `change_later` to another channel")
    .breaks("messages.edit.change-later-not-earlier")
    .checkedBy("workflow moving-later-to-channel")
    .reads("editMessage", "propagate_mode", (mode, parameters) =>
      parameters.has("stream_id") && mode === "change_later" ? "change_all" : mode,
    ),
  fault("address-lost-with-name", "ignores `new_email` together with `full_name`")
    .breaks("users.update-by-email.new-email")
    .checkedBy("workflow users-new-email-names-user")
    .ignores("updateUserByEmail", "new_email", has("full_name")),
  fault("nothing-before-first-unread", "ignores `num_before` with the anchor `first_unread`")
    .breaks("messages.get.anchor-first-unread")
    .checkedBy("workflow reading-first-unread")
    .reads("getMessages", "num_before", (count, parameters) =>
      parameters.get("anchor") === "first_unread" ? "0" : count,
    ),
  fault("role-lost-with-name", "ignores `role` together with `full_name`")
    .breaks("users.update-by-email.role")
    .checkedBy("workflow users-role-gives-rights")
    .ignores("updateUserByEmail", "role", has("full_name")),
  fault("first-unread-always-included", "ignores `include_anchor` with the anchor `first_unread`")
    .breaks("messages.get.include-anchor-false", "messages.get.anchor-first-unread")
    .checkedBy("case getMessages/first_unread_without_the_anchor_message")
    .ignores("getMessages", "include_anchor", is("anchor", "first_unread")),
  fault("words-in-any-case-accepted", "accepts listed words in any letter case")
    .breaks("setEditTypingStatus")
    .checkedBy("probe setEditTypingStatus/op")
    .reads("setEditTypingStatus", "op", (op) => op.toLowerCase()),
  fault("sessions-only-for-reading", "accepts a session only for requests that change nothing")
    .breaks("authentication.session-cookie")
    .checkedBy("workflow authentication-session")
    .refuses(
      "all",
      all(anonymous, (_, request) => {
        const isReading = ["GET", "HEAD", "OPTIONS"].includes(request.method) || request.target.includes("/tus");
        return headerOf(request, "Cookie") !== undefined && !isReading;
      }),
      unauthorized,
    ),
  fault("ios-token-removed-as-android", "removes tokens of Apple devices as Android tokens")
    .breaks("push.remove-android-token.ios-token")
    .by(
      remembers(
        ["addIosDeviceToken", "removeAndroidToken"],
        () => new Set<string>(),
        async (request, forward, added) => {
          const token = parametersOf(request).get("token") ?? "";
          if (request.method === "DELETE" && added.delete(token)) return success();
          const response = await forward(request);
          if (request.method === "POST" && response.status === 200) added.add(token);
          return response;
        },
      ),
    ),
  fault("all-android-tokens-removed", "removes all Android tokens of a user when one is removed")
    .breaks("push.remove-android-token.removed")
    .checkedBy("workflow push-android-tokens-of-one-user")
    .refusesSecond("removeAndroidToken", () => "any token"),
  fault("detached-by-an-earlier-edit", "lists the uploads that an earlier edit of the message has detached")
    .breaks("messages.edit.detached-uploads-none")
    .by(
      remembers(
        "editMessage",
        () => new Map<string, unknown>(),
        async (request, forward, detached) => {
          const response = await forward(request);
          const body = jsonOf(response);
          if (response.status !== 200 || body === undefined) return response;
          const earlier = listOf(detached.get(request.target));
          if (listOf(body.detached_uploads).length > 0) detached.set(request.target, body.detached_uploads);
          return earlier.length === 0 ? response : withJson(response, { ...body, detached_uploads: earlier });
        },
      ),
    ),
]);
