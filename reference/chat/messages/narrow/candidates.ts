import { type RawBuilder, sql } from "kysely";
import { idList } from "../../storage/database.js";
import type { User } from "../../storage/tables.js";
import type { IdRange } from "../search-index.js";
import type { NarrowTerm } from "./parse-narrow.js";

/** The order in which ids are read. */
export type Order = "asc" | "desc";

/** The ids of an index to examine: the first `max` of a range in the given order. */
export interface Window {
  readonly range: IdRange;
  readonly order: Order;
  readonly max: number;
}

/** An index that yields message ids in order, with the values to search it by. */
export interface Lead {
  /** Whether the rows come from `user_message`, so that no lookup there is needed. */
  readonly isReceived: boolean;
  /** A query that selects `message_id`, and for rows of `user_message` also its other columns. */
  readonly candidates: (window: Window) => RawBuilder<unknown>;
}

/** The messages that the user has received, or a part of them, each with its own index. */
export function receivedLead(user: Pick<User, "id">, part: "all" | "unread" | "mentioned"): Lead {
  const only = {
    all: { index: sql``, condition: sql`` },
    unread: { index: sql`indexed by user_message_unread`, condition: sql` and is_read = 0` },
    mentioned: { index: sql`indexed by user_message_mentioned`, condition: sql` and is_mentioned = 1` },
  }[part];
  return {
    isReceived: true,
    candidates: ({ range, order, max }) => sql`
      select message_id, is_read, is_mentioned from user_message ${only.index}
      where user_id = ${user.id} and message_id >= ${range.from} and message_id < ${range.below}${only.condition}
      order by message_id ${sql.raw(order)} limit ${max}`,
  };
}

/** The messages of an organization. */
export function realmLead({ realm_id }: Pick<User, "realm_id">): Lead {
  return messageLead("message_by_realm", sql`realm_id = ${realm_id}`);
}

/** Chooses the most selective index: one topic or conversation has few of all messages. Undefined if no index is selective. */
export function termLead(user: Pick<User, "id">, positive: readonly NarrowTerm[], unread: boolean): Lead | undefined {
  const find = <Kind extends NarrowTerm["kind"]>(kind: Kind) =>
    positive.find((term): term is Extract<NarrowTerm, { kind: Kind }> => term.kind === kind);
  const is = (what: string) => positive.some((term) => term.kind === "is" && term.what === what);
  const direct = find("direct");
  const channel = find("channel");
  const topic = find("topic");
  const sender = find("sender");
  if (direct?.conversationId !== undefined) {
    return messageLead("message_by_conversation", sql`conversation_id = ${direct.conversationId}`);
  }
  if (channel !== undefined && topic !== undefined) {
    return messageLead("message_by_topic", sql`channel_id = ${channel.channelId} and topic = ${topic.topic}`);
  }
  if (is("mentioned")) return receivedLead(user, "mentioned");
  if (unread || is("unread")) return receivedLead(user, "unread");
  if (channel !== undefined) return messageLead("message_by_channel", sql`channel_id = ${channel.channelId}`);
  if (sender !== undefined) return messageLead("message_by_sender", sql`sender_id = ${sender.userId}`);
  return undefined;
}

/** The messages with these ids. */
export function idsLead(ids: readonly number[]): Lead {
  return {
    isReceived: false,
    candidates: ({ range, order, max }) => sql`
      select m.id as message_id from message m not indexed
      where m.id in ${idList(ids)}
        and m.id >= ${range.from} and m.id < ${range.below}
      order by m.id ${sql.raw(order)} limit ${max}`,
  };
}

/** SQL condition that a row `ms` of the full-text index is in a range and matches an FTS5 query. */
export function matches(query: string, { from, below }: IdRange): RawBuilder<boolean> {
  return sql`ms.message_search match ${query} and ms.rowid >= ${integer(from)} and ms.rowid < ${integer(below)}`;
}

function messageLead(index: string, condition: RawBuilder<unknown>): Lead {
  return {
    isReceived: false,
    candidates: ({ range, order, max }) => sql`
      select id as message_id from message indexed by ${sql.raw(index)}
      where ${condition} and id >= ${range.from} and id < ${range.below}
      order by id ${sql.raw(order)} limit ${max}`,
  };
}

/** Casts a number for comparison with ids. The driver binds reals, for which the full-text index cannot seek. */
function integer(value: number): RawBuilder<number> {
  return sql`cast(${value} as integer)`;
}
