import { type RawBuilder, type SqlBool, sql } from "kysely";
import { resolvedPrefix } from "../../channels/topics.js";
import { keyOf } from "../../storage/database.js";
import type { User } from "../../storage/tables.js";
import type { NarrowMatch, NarrowTerm } from "./parse-narrow.js";

type Condition = RawBuilder<SqlBool>;

const nothing: Condition = sql`false`;

type Viewer = Pick<User, "id" | "realm_id">;

/**
 * SQL condition of a term on a row of `message`, joined as `um` with the user's row of `user_message`, if any. Search terms add
 * no condition here, because the full-text index evaluates them (`matchingMessages`).
 */
export function termCondition(user: Viewer, term: NarrowTerm): Condition {
  if (term.kind === "search") return term.negated || term.phrases.length > 0 ? sql`true` : nothing;
  const condition = matchCondition(user, term);
  // A comparison with null is neither true nor false.
  return term.negated ? sql`(${condition}) is not true` : condition;
}

function matchCondition(user: Viewer, match: Exclude<NarrowMatch, { kind: "search" }>): Condition {
  switch (match.kind) {
    case "channel":
      return sql`message.channel_id = ${match.channelId}`;
    case "public-channels":
      return sql`exists (
        select 1 from channel pc where pc.realm_id = ${user.realm_id} and pc.id = message.channel_id and not pc.is_private)`;
    case "topic":
      // Direct messages store an empty string there, but have no topic.
      return sql`(message.channel_id is not null and message.topic_key = ${keyOf(match.topic)})`;
    case "sender":
      return sql`message.sender_id = ${match.userId}`;
    case "direct":
      return match.conversationId === undefined ? nothing : sql`message.conversation_id = ${match.conversationId}`;
    case "visible":
      return sql`message.id >= ${match.from}`;
    case "is":
      return is[match.what](user);
  }
}

const is: Record<Extract<NarrowMatch, { kind: "is" }>["what"], (user: Viewer) => Condition> = {
  dm: () => sql`message.conversation_id is not null`,
  mentioned: () => sql`um.is_mentioned`,
  unread: () => sql`not um.is_read`,
  muted: ({ id, realm_id }) => sql`(exists (select 1 from muted_topic mt
      where mt.realm_id = ${realm_id} and mt.user_id = ${id}
        and mt.channel_id = message.channel_id and mt.topic_key = message.topic_key)
    or exists (select 1 from muted_user mu
      where mu.realm_id = ${realm_id} and mu.user_id = ${id} and mu.muted_user_id = message.sender_id))`,
  resolved: () =>
    sql`(message.channel_id is not null and substr(message.topic, 1, ${sql.lit(resolvedPrefix.length)}) = ${resolvedPrefix})`,
};
