import { findChannel } from "../../access/find-channel.js";
import { isSameTopic, markChange } from "../../channels/topics.js";
import type { LevelBehaviour } from "../../level-behaviour.js";
import type { Caller, Services } from "../../services.js";
import { sendMessage } from "../send-message.js";
import { hasMessages } from "./move-messages.js";
import type { Move } from "./requested-changes.js";

/** A finished move, with the flags of the request. */
export interface FinishedMove {
  readonly move: Move;
  readonly count: number;
  readonly notifyOld: boolean | undefined;
  readonly notifyNew: boolean | undefined;
}

/** Announces a move with messages from the notification bot in the old and the new topic. They count as read by the caller. */
export async function announceMove(services: Services, { user, realm }: Caller, finished: FinishedMove): Promise<void> {
  const { database, behaviour } = services;
  const { notification_bot_id: senderId } = realm;
  if (senderId === null) return;
  const { move } = finished;
  const named = async (channelId: number, topic: string) => ({
    channelName: (await findChannel(database, user, channelId))?.name ?? "",
    topic: topic === "" ? realm.empty_topic_display_name : topic,
  });
  const { inOld, inNew } = moveNotices({
    ...finished,
    behaviour,
    isWholeTopic: !(await hasMessages(database, realm.id, move.fromChannelId, move.fromTopic)),
    from: await named(move.fromChannelId, move.fromTopic),
    to: await named(move.toChannelId, move.toTopic),
    caller: user,
  });
  const send = async (channelId: number, topic: string, content: string | undefined) => {
    if (content === undefined) return;
    await sendMessage(services, {
      realm,
      senderId,
      onBehalfOf: user.id,
      to: { kind: "channel", channelId, topic },
      content,
      readBy: [user.id],
      client: "Internal",
    });
  };
  await send(move.fromChannelId, move.fromTopic, inOld);
  await send(move.toChannelId, move.toTopic, inNew);
}

/** A topic of a channel as it appears in a notice. */
export interface NamedTopic {
  readonly channelName: string;
  /** The displayed name; the display name for the empty topic. */
  readonly topic: string;
}

/** Input for the automated messages that announce a move. */
interface MoveNoticeInput {
  readonly move: Pick<Move, "fromTopic" | "toTopic" | "changesChannel" | "isResolution">;
  /** The flags of the request. */
  readonly notifyOld: boolean | undefined;
  readonly notifyNew: boolean | undefined;
  readonly behaviour: Pick<LevelBehaviour, "quietOldThread">;
  /** The number of moved messages. */
  readonly count: number;
  readonly isWholeTopic: boolean;
  readonly from: NamedTopic;
  readonly to: NamedTopic;
  readonly caller: { readonly id: number; readonly full_name: string };
}

/** Markdown of the automated messages in the old and the new topic; undefined for no message. */
export interface MoveNotices {
  readonly inOld: string | undefined;
  readonly inNew: string | undefined;
}

/**
 * Composes the automated messages that announce a move. Resolving a topic is always announced in that topic, whatever the flag
 * for the new topic says. A topic that changes only in letter case is not announced.
 *
 * Rules: "Edit a message", send_notification_to_old_thread and send_notification_to_new_thread; "States and transitions";
 * "Versioning", 9 and 152.
 */
export function moveNotices(announced: MoveNoticeInput): MoveNotices {
  const { move, behaviour, caller, notifyOld, notifyNew = true } = announced;
  if (!move.changesChannel && isSameTopic(move.fromTopic, move.toTopic)) return { inOld: undefined, inNew: undefined };
  const takesEffect = move.changesChannel || behaviour.quietOldThread;
  const old = takesEffect && (notifyOld ?? !behaviour.quietOldThread);
  const user = userMention(caller);
  const inOld = old ? `${subject(announced)} moved ${announced.isWholeTopic ? "" : "from this topic "}to` : undefined;
  return {
    inOld: inOld && `${inOld} ${topicLink(announced.to)} by ${user}.`,
    inNew: newNotice(announced, takesEffect && notifyNew, user),
  };
}

function newNotice(announced: MoveNoticeInput, isWanted: boolean, user: string): string | undefined {
  const { move, from } = announced;
  if (move.isResolution) {
    const state = markChange(move.fromTopic, move.toTopic) === "resolve" ? "resolved" : "unresolved";
    return `${user} has marked this topic as ${state}.`;
  }
  return isWanted ? `${subject(announced)} moved here from ${topicLink(from)} by ${user}.` : undefined;
}

function subject({ isWholeTopic, count }: MoveNoticeInput): string {
  if (isWholeTopic) return "This topic was";
  return count === 1 ? "A message was" : `${count} messages were`;
}

function topicLink({ channelName, topic }: NamedTopic): string {
  if (/^[^*>\n]+$/.test(channelName) && /^[^*\n]+$/.test(topic)) return `#**${channelName}>${topic}**`;
  return `#${escapeMarkdown(channelName)} \\> ${escapeMarkdown(topic)}`;
}

function userMention({ id, full_name: name }: MoveNoticeInput["caller"]): string {
  return /^[^*|\n]+$/.test(name) ? `@_**${name}|${id}**` : escapeMarkdown(name);
}

/** Escapes a text as Markdown, so that no name can make the bot mention users. */
function escapeMarkdown(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[!-/:-@[-`{-~]/g, "\\$&");
}
