import { type RawBuilder, type SqlBool, sql } from "kysely";
import { resolvedPrefix } from "../../channels/topics.js";
import { idList } from "../../storage/database.js";
import type { User } from "../../storage/tables.js";
import type { NarrowMatch, NarrowTerm } from "./parse-narrow.js";

type Condition = RawBuilder<SqlBool>;

const nothing: Condition = sql`false`;

/**
 * SQL condition of a term on a row of `message`, joined as `um` with the user's row of `user_message`, if any. Search terms add
 * no condition here, because the full-text index evaluates them (see `planSearch`).
 */
export function termCondition(user: Pick<User, "id">, term: NarrowTerm): Condition {
  if (term.kind === "search") return term.negated || term.phrases.length > 0 ? sql`true` : nothing;
  const condition = matchCondition(user, term);
  // A comparison with null is neither true nor false.
  return term.negated ? sql`(${condition}) is not true` : condition;
}

function matchCondition(user: Pick<User, "id">, match: Exclude<NarrowMatch, { kind: "search" }>): Condition {
  switch (match.kind) {
    case "channel":
      return sql`message.channel_id = ${match.channelId}`;
    case "public-channels":
      return sql`exists (select 1 from channel pc where pc.id = message.channel_id and pc.is_private = 0)`;
    case "topic":
      // Direct messages store an empty string there, but have no topic.
      return sql`(message.channel_id is not null and message.topic = ${match.topic})`;
    case "sender":
      return sql`message.sender_id = ${match.userId}`;
    case "direct":
      return match.conversationId === undefined ? nothing : sql`message.conversation_id = ${match.conversationId}`;
    case "direct-including":
      return includes(match.userIds, match.groupsOnly);
    case "id":
      return sql`message.id = ${match.id}`;
    case "has":
      return has[match.what];
    case "is":
      return is[match.what](user);
  }
}

function includes(userIds: readonly number[], groupsOnly: boolean): Condition {
  const members = sql`select count(*) from conversation_member dm where dm.conversation_id = message.conversation_id`;
  const found = sql`(${members} and dm.user_id in ${idList(userIds)}) = ${userIds.length}`;
  const inGroup = groupsOnly ? sql` and (${members}) > 2` : sql``;
  return sql`(message.conversation_id is not null and ${found}${inGroup})`;
}

const has: Record<Extract<NarrowMatch, { kind: "has" }>["what"], Condition> = {
  link: sql`message.has_link = 1`,
  image: sql`message.has_image = 1`,
  attachment: sql`message.has_attachment = 1`,
  reaction: sql`exists (select 1 from reaction hr where hr.message_id = message.id)`,
};

const is: Record<Extract<NarrowMatch, { kind: "is" }>["what"], (user: Pick<User, "id">) => Condition> = {
  dm: () => sql`message.conversation_id is not null`,
  mentioned: () => sql`um.is_mentioned = 1`,
  unread: () => sql`um.is_read = 0`,
  muted: ({ id }) => sql`(exists (select 1 from muted_topic mt
      where mt.user_id = ${id} and mt.channel_id = message.channel_id and mt.topic = message.topic)
    or exists (select 1 from muted_user mu where mu.user_id = ${id} and mu.muted_user_id = message.sender_id))`,
  resolved: () =>
    sql`(message.channel_id is not null and substr(message.topic, 1, ${resolvedPrefix.length}) = ${resolvedPrefix})`,
};
