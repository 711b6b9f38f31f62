import { sql } from "kysely";
import type { components } from "../../../../generated/chat/types.js";
import type { Database } from "../../storage/database.js";
import { idList } from "../../storage/id-list.js";
import { jsonRows } from "./json-rows.js";

type Reaction = components["schemas"]["Reaction"];

type ReactionRow = readonly [
  messageId: number,
  emoji_name: string,
  emoji_code: string,
  reaction_type: Reaction["reaction_type"],
  user_id: number,
];

/** The reactions to these messages, by the id of the message. */
export function reactionsTo(database: Database, messageIds: readonly number[]): Map<number, Reaction[]> {
  const rows = jsonRows<ReactionRow>(database, {
    row: sql`json_array(message_id, emoji_name, emoji_code, reaction_type, user_id)`,
    from: sql`(select * from reaction where message_id in ${idList(messageIds)} order by message_id, user_id, reaction_type, emoji_code)`,
  });
  const byMessage = new Map<number, Reaction[]>();
  for (const [messageId, emoji_name, emoji_code, reaction_type, user_id] of rows) {
    const reaction = { emoji_name, emoji_code, reaction_type, user_id };
    const reactions = byMessage.get(messageId);
    if (reactions === undefined) byMessage.set(messageId, [reaction]);
    else reactions.push(reaction);
  }
  return byMessage;
}
