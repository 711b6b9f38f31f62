import { ofFamily } from "../../fault.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { listIn, withParameters } from "../messages.js";
import { asUser, onMessage } from "../requests.js";
import type { WireRequest } from "../wire.js";

/** Requests that the server refuses although it carries out a part of them. */
export const refusedRequestFaults: readonly ChatFault[] = ofFamily("effects of refused requests", [
  fault("content-edited-though-move-refused", "refuses an edit because of the new topic, and keeps the new content")
    .breaks("errors.changes-nothing")
    .checkedBy("case editMessage/content_and_topic_not_permitted")
    .doesAnyway("editMessage", ({ parameters, request }) =>
      parameters.has("content") && parameters.has("topic") ? [keeping(request, "content")] : [],
    ),
  fault("edited-despite-digest", "refuses an edit because of `prev_content_sha256`, and keeps the new content")
    .breaks("messages.edit.prev-content-differs", "messages.edit.prev-content-concurrent")
    .checkedBy("workflow editing-concurrent")
    .doesAnyway("editMessage", ({ parameters, request }) =>
      parameters.has("prev_content_sha256") ? [without(request, "prev_content_sha256")] : [],
    ),
  fault("late-topic-moved-in-part", "refuses to move a whole topic, and moves the messages that the caller may move")
    .breaks("messages.edit.limit-retry")
    .doesAnyway("editMessage", ({ parameters, request, refused }) => {
      const { first_message_id_allowed_to_move: first } = refused;
      if (typeof first !== "number" || parameters.get("propagate_mode") !== "change_all") return [];
      return [withParameters(onMessage(request, first), (later) => later.set("propagate_mode", "change_later"))];
    }),
  fault("owner-changed-though-refused", "refuses to let administrators add or remove owners, and changes the role")
    .breaks("users.update-by-email.owner-role-added-by-owners-only")
    .checkedBy("workflow users-owner-role-passed-on")
    .doesAnyway("updateUserByEmail", ({ parameters, request, known, refused }) => {
      const isForOwners = String(refused.msg).startsWith("Must be an organization owner");
      return parameters.has("role") && isForOwners ? [asUser(request, known.colleagueOf(request, "owner"))] : [];
    }),
  fault("unsubscribed-before-unknown-channel", "refuses an unknown channel, and unsubscribes from the other ones")
    .breaks("subscriptions.remove.all-or-nothing")
    .doesAnyway("unsubscribe", ({ parameters, request, refused }) => {
      if (refused.code !== "STREAM_DOES_NOT_EXIST") return [];
      const others = listIn(parameters, "subscriptions").filter((name) => name !== refused.stream);
      return [withParameters(request, (changed) => changed.set("subscriptions", JSON.stringify(others)))];
    }),
  fault("known-subgroups-added", "refuses an unknown subgroup, and adds the other ones")
    .breaks("user-groups.update-subgroups.all-or-nothing")
    .doesAnyway("updateSubgroups", ({ parameters, request }) => {
      const ids = listIn(parameters, "add");
      if (ids.length < 2) return [];
      return ids.map((id) => withParameters(request, (changed) => changed.set("add", JSON.stringify([id]))));
    }),
  fault("reminder-kept-though-refused", "refuses a reminder of an unknown message, and delivers its note")
    .breaks("errors.changes-nothing")
    .checkedBy("case createReminder/inaccessible_message")
    .doesAnyway("createReminder", ({ request, refused }) =>
      String(refused.msg).startsWith("Invalid message") ? [without(request, "message_id")] : [],
    ),
]);

function keeping(request: WireRequest, ...names: readonly string[]): WireRequest {
  return withParameters(request, (parameters) => {
    for (const name of [...parameters.keys()]) if (!names.includes(name)) parameters.delete(name);
  });
}

function without(request: WireRequest, name: string): WireRequest {
  return withParameters(request, (parameters) => parameters.delete(name));
}
