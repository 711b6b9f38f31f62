import { parseJson } from "../../../../src/parse-json.js";
import type { Behaviour, OperationId } from "../behaviour.js";
import { type About, always, type Json, jsonOf, parametersOf, withParameters } from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { asUser, onMessage } from "../requests.js";
import type { WireRequest } from "../wire.js";

/** Requests that the server refuses although it carries out a part of them. */
export const refusedRequestFaults: readonly Fault[] = ofFamily("effects of refused requests", [
  [
    "content-edited-though-move-refused",
    "refuses an edit because of the new topic, and keeps the new content",
    doesAllTheSame("editMessage", ({ parameters, request }) =>
      parameters.has("content") && parameters.has("topic") ? [keeping(request, "content")] : [],
    ),
    ["errors.changes-nothing"],
    ["case editMessage/content_and_topic_not_permitted"],
  ],
  [
    "edited-despite-digest",
    "refuses an edit because of `prev_content_sha256`, and keeps the new content",
    doesAllTheSame("editMessage", ({ parameters, request }) =>
      parameters.has("prev_content_sha256") ? [without(request, "prev_content_sha256")] : [],
    ),
    ["messages.edit.prev-content-differs", "messages.edit.prev-content-concurrent"],
    ["workflow editing-concurrent"],
  ],
  [
    "late-topic-moved-in-part",
    "refuses to move a whole topic, and moves the messages that the caller may move",
    doesAllTheSame("editMessage", ({ parameters, request, refused }) => {
      const { first_message_id_allowed_to_move: first } = refused;
      if (typeof first !== "number" || parameters.get("propagate_mode") !== "change_all") return [];
      return [withParameters(onMessage(request, first), (later) => later.set("propagate_mode", "change_later"))];
    }),
    ["messages.edit.limit-retry"],
    ["workflow moving-retry"],
  ],
  [
    "owner-changed-though-refused",
    "refuses to let administrators add or remove owners, and changes the role",
    doesAllTheSame("updateUserByEmail", ({ parameters, request, known, refused }) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      const owner = known.usersOf(organization).find(({ caller }) => caller === "owner");
      const isForOwners = String(refused.msg).startsWith("Must be an organization owner");
      return parameters.has("role") && isForOwners && owner !== undefined ? [asUser(request, owner)] : [];
    }),
    ["users.update-by-email.owner-role-added-by-owners-only"],
    ["workflow users-owner-role-passed-on"],
  ],
  [
    "unsubscribed-before-unknown-channel",
    "refuses an unknown channel, and unsubscribes from the other ones",
    doesAllTheSame("unsubscribe", ({ parameters, request, refused }) => {
      const names = parseJson(parameters.get("subscriptions") ?? "");
      if (refused.code !== "STREAM_DOES_NOT_EXIST" || !Array.isArray(names)) return [];
      const others = names.filter((name) => name !== refused.stream);
      return [withParameters(request, (changed) => changed.set("subscriptions", JSON.stringify(others)))];
    }),
    ["subscriptions.remove.all-or-nothing"],
    ["workflow subscriptions-remove-refused"],
  ],
  [
    "known-subgroups-added",
    "refuses an unknown subgroup, and adds the other ones",
    doesAllTheSame("updateSubgroups", ({ parameters, request }) => {
      const ids = parseJson(parameters.get("add") ?? "");
      if (!Array.isArray(ids) || ids.length < 2) return [];
      return ids.map((id) => withParameters(request, (changed) => changed.set("add", JSON.stringify([id]))));
    }),
    ["user-groups.update-subgroups.all-or-nothing"],
    ["workflow user-groups-refused-changes"],
  ],
  [
    "reminder-kept-though-refused",
    "refuses a reminder of an unknown message, and delivers its note",
    doesAllTheSame("createReminder", ({ request, refused }) =>
      String(refused.msg).startsWith("Invalid message") ? [without(request, "message_id")] : [],
    ),
    ["errors.changes-nothing"],
    ["case createReminder/inaccessible_message"],
  ],
]);

/** A refused request. */
interface Refused extends Omit<About, "status"> {
  readonly parameters: URLSearchParams;
  readonly refused: Json;
}

/** Sends other requests after a refusal, then returns the refusal. */
function doesAllTheSame(on: OperationId, instead: (refused: Refused) => readonly WireRequest[]): Behaviour {
  return always([on], async (request, forward, known) => {
    const answer = await forward(request);
    const refused = jsonOf(answer);
    if (answer.status !== 400 || refused === undefined) return answer;
    for (const one of instead({ parameters: parametersOf(request), request, known, refused })) await forward(one);
    return answer;
  });
}

function keeping(request: WireRequest, ...names: readonly string[]): WireRequest {
  return withParameters(request, (parameters) => {
    for (const name of [...parameters.keys()]) if (!names.includes(name)) parameters.delete(name);
  });
}

function without(request: WireRequest, name: string): WireRequest {
  return withParameters(request, (parameters) => parameters.delete(name));
}
