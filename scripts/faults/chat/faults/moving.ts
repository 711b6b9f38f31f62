import { ofFamily } from "../../fault.js";
import { changesParameters } from "../changes.js";
import { given, has } from "../conditions.js";
import { fault } from "../describe.js";
import type { ChatFault } from "../fault.js";
import { parametersOf, withParameters } from "../messages.js";
import { readMessage } from "../read-message.js";

function readsMode(from: string | undefined, to: string) {
  return changesParameters("editMessage", (parameters) => {
    const isMove = parameters.has("topic") || parameters.has("stream_id");
    if (isMove && (parameters.get("propagate_mode") ?? undefined) === from) parameters.set("propagate_mode", to);
  });
}

/** Wrong handling of the topics and channels of messages. */
export const movingFaults: readonly ChatFault[] = ofFamily("moving messages", [
  fault("change-later-is-change-one", "moves one message for `change_later`")
    .breaks("messages.edit.change-later")
    .checkedBy("workflow moving-change-later")
    .by(readsMode("change_later", "change_one")),
  fault("change-all-is-change-later", "does not move the messages before the target for `change_all`")
    .breaks("messages.edit.change-all")
    .checkedBy("workflow moving-change-all")
    .by(readsMode("change_all", "change_later")),
  fault("change-all-by-default", "moves the whole topic if the request has no `propagate_mode`")
    .breaks("messages.edit.change-default")
    .by(readsMode(undefined, "change_all")),
  fault("notification-flags-swapped", "posts the notice for the old topic to the new one")
    .breaks("messages.edit.old-notification", "messages.edit.new-notification")
    .checkedBy("workflow moving-channel-notifies-old-topic")
    .changesParameters("editMessage", (parameters) => {
      const [old, fresh] = ["old", "new"].map((which) => parameters.get(`send_notification_to_${which}_thread`));
      if (fresh != null) parameters.set("send_notification_to_old_thread", fresh);
      if (old != null) parameters.set("send_notification_to_new_thread", old);
    }),
  fault("new-topic-not-notified", "posts no notice of a move to the new topic")
    .breaks("messages.edit.new-notification")
    .checkedBy("workflow moving-channel", "workflow moving-topic")
    .changesParameters("editMessage", (parameters) => {
      const isMove = parameters.has("topic") || parameters.has("stream_id");
      if (isMove) parameters.set("send_notification_to_new_thread", "false");
    }),
  fault("notifications-only-for-channels", "posts no notice when a topic moves within its channel")
    .breaks(
      "messages.edit.old-notification-without-channel-change",
      "messages.edit.new-notification-without-channel-change",
    )
    .checkedBy("workflow moving-topic-notifies-old-topic")
    .changesParameters("editMessage", (parameters) => {
      if (parameters.has("stream_id")) return;
      parameters.set("send_notification_to_old_thread", "false");
      parameters.set("send_notification_to_new_thread", "false");
    }),
  fault("display-name-is-a-topic", "reads the display name of the empty topic as another topic")
    .breaks("messages.edit.topic-empty-display-name")
    .reads("editMessage", "topic", (topic) => (/^(general chat|small talk)$/.test(topic) ? `${topic}.` : topic)),
  fault("no-topic-accepted-when-required", "accepts `(no topic)` although topics are required")
    .breaks("messages.edit.topics-required-no-topic")
    .checkedBy("case editMessage/topics_required_no_topic")
    .reads("editMessage", "topic", (topic) => (topic === "(no topic)" ? "no topic" : topic)),
  fault("topic-limit-off-by-one", "accepts a topic that is one character too long")
    .breaks("messages.edit.topic-length")
    .checkedBy("case editMessage/topic_too_long")
    .reads(["editMessage", "updateMutedTopic"], "topic", (topic) => (topic.length === 61 ? topic.slice(1) : topic)),
  fault("first-movable-message-off-by-one", "returns the message after the first movable one")
    .breaks("messages.edit.limit-first-message")
    .changes("editMessage", "first_message_id_allowed_to_move", (first) =>
      typeof first === "number" ? first + 1 : first,
    ),
  fault("topic-total-off-by-one", "counts one message too many in a topic that cannot be moved")
    .breaks("messages.edit.limit-total")
    .changes("editMessage", "total_messages_in_topic", (total) => Number(total) + 1),
  fault("protected-history-counted", "counts messages from before the caller joined")
    .breaks("messages.edit.limit-protected-history")
    .changes("editMessage", "total_messages_in_topic", (total, _, { parameters, request, known }) => {
      const isProtected = given((params) => params.history_protected === true)(parameters, request, known);
      return Number(total) + (isProtected ? 2 : 0);
    }),
  fault("resolving-without-check-mark", "does not add the check mark to a resolved topic")
    .breaks("messages.edit.resolved")
    .checkedBy("workflow topic-resolution-resolved")
    .reads("editMessage", "topic", (topic) => topic.replace(/^✔ /, "[resolved] ")),
  fault(
    "second-resolution-notice",
    "posts a second notice about a resolved topic unless `send_notification_to_new_thread` is false",
  )
    .breaks("messages.edit.resolve-no-extra-notification")
    .always("editMessage", async (request, forward) => {
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
  fault("topic-lost-on-channel-change", "keeps the old topic when the channel changes too")
    .breaks("messages.edit.topic", "messages.edit.channel")
    .checkedBy("workflow moving-to-channel-and-topic")
    .ignores("editMessage", "topic", has("stream_id")),
]);
