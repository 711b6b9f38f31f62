import { parseJson } from "../../../../src/base/parse-json.js";
import { ofFamily } from "../../fault.js";
import { remembers } from "../changes.js";
import { all, has, knows, lacks } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { failure, jsonOf, parametersOf, success, withJson, withParameters } from "../messages.js";
import { readMessage } from "../read-message.js";
import { isFrom } from "../requests.js";
import { headerOf, type WireRequest, type WireResponse } from "../wire.js";

const callerAndPath = (request: WireRequest) => `${headerOf(request, "Authorization")} ${request.target.split("?")[0]}`;

/** Successful responses without the effect. */
export const lostWriteFaults: readonly ChatFault[] = ofFamily("lost writes", [
  fault("edit-lost", "returns success for an edit and keeps the content")
    .breaks("messages.edit.content")
    .checkedBy("workflow editing-content")
    .always("editMessage", async (request, forward) => {
      const message = await readMessage(request, forward, { apply_markdown: "false" });
      const parameters = parametersOf(request);
      const isEdit = parameters.has("content") && !parameters.has("topic") && !parameters.has("stream_id");
      if (!isEdit || message === undefined) return forward(request);
      return forward(withParameters(request, (changed) => changed.set("content", String(message.content))));
    }),
  fault("move-lost", "returns success for a change of the topic and keeps the topic")
    .breaks("messages.edit.topic")
    .checkedBy("workflow moving-change-one")
    .skips(
      "editMessage",
      all(has("topic"), lacks("content"), lacks("stream_id"), (_, request, known) =>
        known.setupsOf(request).some(({ values }) => JSON.stringify(values).includes(`${request.path.message_id}`)),
      ),
      { detached_uploads: [] },
    ),
  fault("unsubscription-lost", "lists users as unsubscribed and keeps their subscriptions")
    .breaks("subscriptions.remove.unsubscribed")
    .checkedBy("workflow subscriptions-remove-twice")
    .by(
      remembers(
        "unsubscribe",
        () => new Set<string>(),
        async (request, forward, removed, known) => {
          const response = await forward(request);
          const body = jsonOf(response);
          if (response.status !== 200 || body === undefined) return response;
          const caller = known.callerOf(request);
          const users = known.colleaguesOf(request);
          const principals = parseJson(parametersOf(request).get("principals") ?? "") ?? [caller?.userId];
          const ids = (principals as unknown[]).map((one) => users.find(({ email }) => email === one)?.userId ?? one);
          const key = (name: unknown) => `${caller?.organization} ${ids} ${name}`;
          const isAgain = (name: string) => removed.has(key(name));
          const [now, before] = [body.removed as string[], body.not_removed as string[]];
          const changed = {
            removed: [...now, ...before.filter(isAgain)],
            not_removed: before.filter((name) => !isAgain(name)),
          };
          for (const name of now) removed.add(key(name));
          return withJson(response, { ...body, ...changed });
        },
      ),
    ),
  fault("mute-without-effect", "records who is muted and leaves their messages unread")
    .breaks("users.mute.existing-messages-read", "users.mute.new-messages-read")
    .checkedBy("workflow muting-users")
    .by(
      remembers(
        "muteUser",
        () => new Set<string>(),
        (request, forward, muted, known) => {
          const caller = known.callerOf(request);
          const target = known
            .colleaguesOf(request)
            .find(({ userId }) => String(userId) === request.path.muted_user_id);
          const key = callerAndPath(request);
          const isFirst = caller !== undefined && isFrom(request, caller) && !muted.has(key);
          if (!isFirst || target === undefined || target === caller) return forward(request);
          muted.add(key);
          return success();
        },
      ),
    ),
  fault("deletion-lost", "returns success for every deletion of an attachment and keeps it")
    .breaks("attachments.delete.deleted")
    .checkedBy("workflow attachments-delete-twice")
    .forgivesAgain("deleteAttachment"),
  fault("cancellation-lost", "sends cancelled scheduled messages")
    .breaks("scheduled-messages.delete.not-sent")
    .checkedBy("workflow scheduled-message-cancelled")
    .by(
      remembers(
        "deleteScheduledMessage",
        () => new Set<string>(),
        (request, forward, cancelled, known) => {
          if (!knows("scheduled_message_id")(parametersOf(request), request, known)) return forward(request);
          const key = callerAndPath(request);
          if (cancelled.has(key)) return failure();
          cancelled.add(key);
          return success();
        },
      ),
    ),
  fault("linkifier-not-updated", "returns success for an update of a linkifier and keeps the old one")
    .breaks("linkifiers.update.pattern", "linkifiers.update.url-template")
    .checkedBy("workflow linkifiers-group-inserted")
    .skips("updateLinkifier", knows("filter_id")),
  fault("role-not-changed", "returns success for a change of the role and keeps the role")
    .breaks("users.update-by-email.role")
    .checkedBy("workflow users-role-gives-rights")
    .changesParameters("updateUserByEmail", (parameters) => {
      if (parameters.has("role")) parameters.set("full_name", parameters.get("full_name") ?? "Somebody");
      parameters.delete("role");
    }),
  fault("address-not-changed", "returns success for a change of the address and keeps the address")
    .breaks("users.update-by-email.new-email")
    .checkedBy("workflow users-new-email-names-user")
    .changesParameters("updateUserByEmail", (parameters) => {
      if (parameters.has("new_email")) parameters.set("full_name", "Somebody");
      parameters.delete("new_email");
    }),
  fault("account-not-deactivated", "returns success when a user deactivates their own account, and keeps it active")
    .breaks("users.deactivate-own.deactivated")
    .skips("deactivateOwnUser", (_, request, known) => {
      const caller = known.callerOf(request);
      const isPlain = caller !== undefined && ["member", "other"].includes(caller.caller);
      return isPlain && known.colleaguesOf(request).length > 1 && isFrom(request, caller);
    }),
  fault("token-not-removed", "returns success for every removal of a token and keeps it")
    .breaks("push.remove-android-token.removed", "push.remove-android-token.unknown-token")
    .checkedBy("workflow push-remove-android-token-twice")
    .forgivesAgain("removeAndroidToken"),
  fault("view-not-removed", "returns success for every removal of a navigation view and keeps it")
    .breaks("navigation-views.remove.removed", "navigation-views.remove.unknown-fragment")
    .checkedBy("workflow navigation-views-remove-twice")
    .forgivesAgain("removeNavigationView"),
  fault("every-second-write-lost", "returns success for every second write of a user without executing it")
    .breaks("profile-fields.create.third-in-summary", "profile-fields.create.two-in-summary")
    .checkedBy("workflow profile-fields-third-in-summary")
    .by(
      remembers(
        ["addDefaultChannel", "createProfileField"],
        () => new Map<string, WireResponse>(),
        async (request, forward, last) => {
          const key = callerAndPath(request);
          const before = last.get(key);
          last.delete(key);
          if (before !== undefined) return before;
          const response = await forward(request);
          if (response.status === 200) last.set(key, response);
          return response;
        },
      ),
    ),
]);
