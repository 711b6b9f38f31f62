import type { RenderedMessage } from "../rendering/render-message.js";
import type { Database } from "../storage/database.js";
import type { Message } from "../storage/tables.js";
import { topicParticipants } from "./topic-participants.js";

/** Whom a message mentions: everybody who receives it, or the users with these ids. */
export type Mentioned = "everybody" | ReadonlySet<number>;

/** Whom a message mentions by name, through a group or by a wildcard. The wildcard for a topic means those who take part in it. */
export function mentionedIn(
  database: Database,
  { channel_id: channelId, topic }: Pick<Message, "channel_id" | "topic">,
  { mentionedUserIds, mentionsChannel, mentionsTopic }: RenderedMessage,
): Mentioned {
  if (mentionsChannel) return "everybody";
  if (!mentionsTopic) return mentionedUserIds;
  // Everybody in a direct conversation takes part in it.
  if (channelId === null) return "everybody";
  return new Set([...mentionedUserIds, ...topicParticipants(database, channelId, topic)]);
}

/** Whether a user who receives the message is mentioned. */
export function isMentioned(mentioned: Mentioned, userId: number): boolean {
  return mentioned === "everybody" || mentioned.has(userId);
}
