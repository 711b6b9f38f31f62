import { sql } from "kysely";
import type { Database } from "../../storage/database.js";
import { idList } from "../../storage/id-list.js";
import { jsonRows } from "./json-rows.js";

/** The names of these channels, by id. */
export function channelNames(database: Database, ids: ReadonlySet<number>): Map<number, string> {
  if (ids.size === 0) return new Map();
  return new Map(
    jsonRows<[id: number, name: string]>(database, {
      row: sql`json_array(id, name)`,
      from: sql`channel where id in ${idList(ids)}`,
    }),
  );
}

/** The ids of the members of these conversations, by the id of the conversation. */
export function conversationMembers(database: Database, ids: ReadonlySet<number>): Map<number, number[]> {
  const members = new Map<number, number[]>();
  if (ids.size === 0) return members;
  const rows = jsonRows<[id: number, userId: number]>(database, {
    row: sql`json_array(conversation_id, user_id)`,
    from: sql`conversation_member where conversation_id in ${idList(ids)}`,
  });
  for (const [id, userId] of rows) {
    const known = members.get(id);
    if (known === undefined) members.set(id, [userId]);
    else known.push(userId);
  }
  return members;
}
