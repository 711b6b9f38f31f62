import { channelFragment } from "../rendering/channel-fragment.js";
import type { Database } from "../storage/database.js";
import type { Message } from "../storage/tables.js";

type Linked = Pick<Message, "id" | "channel_id" | "conversation_id" | "topic">;

/** The relative URL at which an application shows a message in its topic or conversation (field). */
export function messageLink(database: Database, message: Linked): string {
  return `#narrow/${place(database, message)}/near/${message.id}`;
}

function place(database: Database, { channel_id: channelId, conversation_id: conversationId, topic }: Linked): string {
  const { sql } = database;
  if (channelId !== null) {
    const channel = database.first(sql.selectFrom("channel").select("name").where("id", "=", channelId));
    return channelFragment({ id: channelId, name: channel?.name ?? "" }, topic);
  }
  const conversation = database.first(
    sql
      .selectFrom("conversation")
      .select("member_key")
      .where("id", "=", conversationId ?? 0),
  );
  return `dm/${conversation?.member_key ?? ""}-dm`;
}
