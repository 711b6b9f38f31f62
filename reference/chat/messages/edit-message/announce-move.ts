import { findChannel } from "../../channels/find-channel.js";
import type { Caller, Services } from "../../services.js";
import { sendMessage } from "../send-message.js";
import { hasMessages } from "./move-messages.js";
import { moveNotices } from "./move-notices.js";
import type { Move } from "./requested-changes.js";

/** A move that has happened, with the flags of the request. */
export interface FinishedMove {
  readonly move: Move;
  readonly count: number;
  readonly notifyOld: boolean | undefined;
  readonly notifyNew: boolean | undefined;
}

/** Sends the automated messages that announce a move, from the notification bot to the old and the new topic. The caller has read them. */
export function announceMove(services: Services, { user, realm }: Caller, finished: FinishedMove): void {
  const { database, behaviour } = services;
  const { notification_bot_id: senderId } = realm;
  if (senderId === null) return;
  const { move } = finished;
  const named = (channelId: number, topic: string) => ({
    channelName: findChannel(database, user, channelId)?.name ?? "",
    topic: topic === "" ? realm.empty_topic_display_name : topic,
  });
  const { inOld, inNew } = moveNotices({
    ...finished,
    behaviour,
    isWholeTopic: !hasMessages(database, move.fromChannelId, move.fromTopic),
    from: named(move.fromChannelId, move.fromTopic),
    to: named(move.toChannelId, move.toTopic),
    caller: user,
  });
  const send = (channelId: number, topic: string, content: string | undefined) => {
    if (content === undefined) return;
    sendMessage(services, {
      realm,
      senderId,
      onBehalfOf: user.id,
      to: { kind: "channel", channelId, topic },
      content,
      readBy: [user.id],
      client: "Internal",
    });
  };
  send(move.fromChannelId, move.fromTopic, inOld);
  send(move.toChannelId, move.toTopic, inNew);
}
