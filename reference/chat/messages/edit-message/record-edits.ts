import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../storage/database.js";
import { idList } from "../../storage/id-list.js";
import type { Move } from "./requested-changes.js";

/** An edit that is about to happen. */
export interface RecordedEdit {
  readonly userId: number;
  /** UNIX seconds. */
  readonly now: number;
  /** Every message that changes. */
  readonly ids: readonly number[];
  /** The message whose content changes, if one does. */
  readonly contentOf: number | undefined;
  readonly move:
    | Pick<Move, "fromChannelId" | "toChannelId" | "toTopic" | "changesChannel" | "changesTopic">
    | undefined;
}

/**
 * Writes the entries of the edit history, one for each message, from the messages as they are before the edit. An aspect that does
 * not change stays null.
 *
 * Rule: "Resources", edit-history entry.
 */
export function recordEdits(database: Database, { userId, now, ids, contentOf, move }: RecordedEdit): void {
  const ofContent = (column: RawBuilder<unknown>) => sql`case when id = ${contentOf ?? null} then ${column} end`;
  const ofTopic = (value: RawBuilder<unknown>) =>
    move?.changesTopic ? sql`case when topic <> ${move.toTopic} collate binary then ${value} end` : sql`null`;
  database.run(sql`
    insert into message_edit (message_id, user_id, edited_at, prev_content, prev_rendered_content,
      prev_channel_id, channel_id, prev_topic, topic)
    select id, ${userId}, ${now}, ${ofContent(sql`content`)}, ${ofContent(sql`rendered_content`)},
      ${move?.changesChannel ? move.fromChannelId : null}, ${move?.changesChannel ? move.toChannelId : null},
      ${ofTopic(sql`topic`)}, ${ofTopic(sql`${move?.toTopic ?? null}`)}
    from message where id in ${idList(ids)} order by id`);
}
