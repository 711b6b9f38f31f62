import { sql } from "kysely";
import type { Database } from "../storage/database.js";

/** The ids of those who take part in a topic: who has sent a message there, or reacted to one. */
export function topicParticipants(database: Database, channelId: number, topic: string): Set<number> {
  const rows = database.all(sql<{ id: number }>`
    select sender_id as id from message where channel_id = ${channelId} and topic = ${topic}
    union
    select reaction.user_id from message join reaction on reaction.message_id = message.id
      where channel_id = ${channelId} and topic = ${topic}`);
  return new Set(rows.map(({ id }) => id));
}
