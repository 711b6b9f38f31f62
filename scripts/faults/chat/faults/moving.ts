import {
  always,
  changesError,
  changesParameters,
  failure,
  forgives,
  parametersOf,
  withParameters,
} from "../changes.js";
import { type Fault, ofFamily } from "../fault.js";
import { readMessage } from "../read-message.js";

const moved = () => ({ detached_uploads: [] });

function readsMode(from: string | undefined, to: string) {
  return changesParameters(["editMessage"], (parameters) => {
    const isMove = parameters.has("topic") || parameters.has("stream_id");
    if (isMove && (parameters.get("propagate_mode") ?? undefined) === from) parameters.set("propagate_mode", to);
  });
}

/** Wrong handling of the topics and channels of messages. */
export const movingFaults: readonly Fault[] = ofFamily("moving messages", [
  [
    "change-later-is-change-one",
    "moves one message for `change_later`",
    readsMode("change_later", "change_one"),
    ["messages.edit.change-later"],
    ["workflow moving-change-later"],
  ],
  [
    "change-all-is-change-later",
    "does not move the messages before the target for `change_all`",
    readsMode("change_all", "change_later"),
    ["messages.edit.change-all"],
    ["workflow moving-change-all"],
  ],
  [
    "change-all-by-default",
    "moves the whole topic if the request has no `propagate_mode`",
    readsMode(undefined, "change_all"),
    ["messages.edit.change-default"],
    ["workflow moving-default-mode"],
  ],
  [
    "notification-flags-swapped",
    "posts the notice for the old topic to the new one",
    changesParameters(["editMessage"], (parameters) => {
      const [old, fresh] = ["old", "new"].map((which) => parameters.get(`send_notification_to_${which}_thread`));
      if (fresh != null) parameters.set("send_notification_to_old_thread", fresh);
      if (old != null) parameters.set("send_notification_to_new_thread", old);
    }),
    ["messages.edit.old-notification", "messages.edit.new-notification"],
    ["workflow moving-channel-notifies-old-topic"],
  ],
  [
    "new-topic-not-notified",
    "posts no notice of a move to the new topic",
    changesParameters(["editMessage"], (parameters) => {
      if (parameters.has("topic") || parameters.has("stream_id"))
        parameters.set("send_notification_to_new_thread", "false");
    }),
    ["messages.edit.new-notification"],
    ["workflow moving-channel", "workflow moving-topic"],
  ],
  [
    "notifications-only-for-channels",
    "posts no notice when a topic moves within its channel",
    changesParameters(["editMessage"], (parameters) => {
      if (parameters.has("stream_id")) return;
      parameters.set("send_notification_to_old_thread", "false");
      parameters.set("send_notification_to_new_thread", "false");
    }),
    ["messages.edit.old-notification-without-channel-change", "messages.edit.new-notification-without-channel-change"],
    ["workflow moving-topic-notifies-old-topic"],
  ],
  [
    "display-name-is-a-topic",
    "reads the display name of the empty topic as another topic",
    changesParameters(["editMessage"], (parameters) => {
      const topic = parameters.get("topic");
      if (topic !== null && /^(general chat|small talk)$/.test(topic)) parameters.set("topic", `${topic}.`);
    }),
    ["messages.edit.topic-empty-display-name"],
    ["messages.edit.topic-empty-display-name"],
  ],
  [
    "no-topic-accepted-when-required",
    "accepts `(no topic)` although topics are required",
    changesParameters(["editMessage"], (parameters) => {
      if (parameters.get("topic") === "(no topic)") parameters.set("topic", "no topic");
    }),
    ["messages.edit.topics-required-no-topic"],
    ["case editMessage/topics_required_no_topic"],
  ],
  [
    "topic-limit-off-by-one",
    "accepts a topic that is one character too long",
    changesParameters(["editMessage", "updateMutedTopic"], (parameters) => {
      const topic = parameters.get("topic") ?? "";
      if (topic.length === 61) parameters.set("topic", topic.slice(1));
    }),
    ["messages.edit.topic-length"],
    ["case editMessage/topic_too_long"],
  ],
  [
    "resolve-without-permission",
    "allows any user to resolve topics",
    forgives("editMessage", "You don't have permission to resolve topics", moved),
    ["messages.edit.resolve-not-permitted"],
    ["case editMessage/resolve_not_permitted"],
  ],
  [
    "editing-setting-blocks-topics",
    "allows no change of a topic while `allow_message_editing` is off",
    always(["editMessage"], async (request, forward, known) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      const isOff = known
        .valuesOf(organization)
        .some(({ params }) => JSON.stringify(params).includes('"allow_message_editing":false'));
      return isOff && parametersOf(request).has("topic")
        ? failure(400, "BAD_REQUEST", "Your organization has turned off message editing")
        : forward(request);
    }),
    ["messages.edit.topic-editing-not-blocked"],
    ["case editMessage/topic_editing_not_blocked"],
  ],
  [
    "moderators-not-exempt",
    "applies the time limits of moves to moderators",
    always(["editMessage"], async (request, forward, known) => {
      const { organization = "", caller } = known.callerOf(request) ?? {};
      const isLate = known.valuesOf(organization).some(({ params }) => Number(params.age_seconds) > 600);
      return caller === "moderator" && isLate
        ? failure(400, "BAD_REQUEST", "The time limit for moving this message has passed")
        : forward(request);
    }),
    ["messages.edit.moderators-exempt-topic"],
    ["case editMessage/late_topic_by_moderator"],
  ],
  [
    "no-time-limit-for-moves",
    "allows moving messages at any time",
    forgives("editMessage", "You only have permission to move", moved),
    ["messages.edit.topic-move-late", "messages.edit.limit-whole-topic"],
    ["case editMessage/topic_late"],
  ],
  [
    "first-movable-message-off-by-one",
    "returns the message after the first movable one",
    changesError(["editMessage"], (body) => {
      const { first_message_id_allowed_to_move: first } = body;
      if (typeof first === "number") body.first_message_id_allowed_to_move = first + 1;
    }),
    ["messages.edit.limit-first-message"],
    ["messages.edit.limit-first-message"],
  ],
  [
    "topic-total-off-by-one",
    "counts one message too many in a topic that cannot be moved",
    changesError(["editMessage"], (body) => {
      const { total_messages_in_topic: total } = body;
      if (typeof total === "number") body.total_messages_in_topic = total + 1;
    }),
    ["messages.edit.limit-total"],
    ["messages.edit.limit-total"],
  ],
  [
    "protected-history-counted",
    "counts messages from before the caller joined",
    changesError(["editMessage"], (body, { request, known }) => {
      const { organization = "" } = known.callerOf(request) ?? {};
      const isProtected = known.valuesOf(organization).some(({ params }) => params.history_protected === true);
      const { total_messages_in_topic: total } = body;
      if (isProtected && typeof total === "number") body.total_messages_in_topic = total + 2;
    }),
    ["messages.edit.limit-protected-history"],
    ["workflow moving-protected-history"],
  ],
  [
    "empty-topic-resolved",
    "resolves the empty topic",
    forgives("editMessage", "The empty topic cannot be resolved", moved),
    ["messages.edit.resolve-empty-topic"],
    ["case editMessage/resolve_empty_topic"],
  ],
  [
    "resolving-without-check-mark",
    "does not add the check mark to a resolved topic",
    changesParameters(["editMessage"], (parameters) => {
      const topic = parameters.get("topic");
      if (topic?.startsWith("✔ ")) parameters.set("topic", topic.replace("✔ ", "[resolved] "));
    }),
    ["messages.edit.resolved"],
    ["workflow topic-resolution-resolved"],
  ],
  [
    "second-resolution-notice",
    "posts a second notice about a resolved topic unless `send_notification_to_new_thread` is false",
    always(["editMessage"], async (request, forward) => {
      const topic = parametersOf(request).get("topic");
      const isQuiet = parametersOf(request).get("send_notification_to_new_thread") === "false";
      if (!topic?.startsWith("✔ ") || isQuiet) return forward(request);
      const message = await readMessage(request, forward);
      // Another move, and so another notice.
      if (message !== undefined) {
        await forward(withParameters(request, (parameters) => parameters.set("topic", `✔ ✔ ${topic.slice(2)}`)));
      }
      return forward(request);
    }),
    ["messages.edit.resolve-no-extra-notification"],
    ["workflow topic-resolution-resolve-notification"],
  ],
  [
    "topic-lost-on-channel-change",
    "keeps the old topic when the channel changes too",
    changesParameters(["editMessage"], (parameters) => {
      if (parameters.has("stream_id")) parameters.delete("topic");
    }),
    ["messages.edit.topic", "messages.edit.channel"],
    ["workflow moving-to-channel-and-topic"],
  ],
]);
