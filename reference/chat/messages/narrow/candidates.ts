import { type RawBuilder, sql } from "kysely";
import { idList } from "../../storage/database.js";
import type { User } from "../../storage/tables.js";
import type { IdRange } from "../search-index.js";
import type { NarrowTerm } from "./parse-narrow.js";

/** Whether the ids of a page are read upwards or downwards. */
export type Order = "asc" | "desc";

/** Which ids of an index are looked at: the first `most` of a range, from its one end or the other. */
export interface Window {
  readonly range: IdRange;
  readonly order: Order;
  readonly most: number;
}

/** An index that gives ids of messages in order, together with what it is entered by. */
export interface Lead {
  /** Whether the rows are those of `user_message`, so that they need not be looked up. */
  readonly isReceived: boolean;
  /** A query that selects the column `message_id` alone, or for rows of `user_message` its other columns as well. */
  readonly candidates: (window: Window) => RawBuilder<unknown>;
}

/** What the user has received, in the index of all of it or of a part. */
export function receivedLead(user: Pick<User, "id">, part: "all" | "unread" | "mentioned"): Lead {
  const only = {
    all: { index: sql``, condition: sql`` },
    unread: { index: sql`indexed by user_message_unread`, condition: sql` and is_read = 0` },
    mentioned: { index: sql`indexed by user_message_mentioned`, condition: sql` and is_mentioned = 1` },
  }[part];
  return {
    isReceived: true,
    candidates: ({ range, order, most }) => sql`
      select message_id, is_read, is_mentioned from user_message ${only.index}
      where user_id = ${user.id} and message_id >= ${range.from} and message_id < ${range.below}${only.condition}
      order by message_id ${sql.raw(order)} limit ${most}`,
  };
}

/** The messages of an organization. */
export function realmLead({ realm_id }: Pick<User, "realm_id">): Lead {
  return messageLead("message_by_realm", sql`realm_id = ${realm_id}`);
}

/** The index that leaves out most: messages are many, those of one topic or conversation few. Undefined when none leaves out any. */
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

/** These messages, wherever they are. */
export function idsLead(ids: readonly number[]): Lead {
  return {
    isReceived: false,
    candidates: ({ range, order, most }) => sql`
      select m.id as message_id from message m not indexed
      where m.id in ${idList(ids)}
        and m.id >= ${range.from} and m.id < ${range.below}
      order by m.id ${sql.raw(order)} limit ${most}`,
  };
}

/** The condition that a row `ms` of the full-text index is in a range and matches an FTS5 query. */
export function matches(query: string, { from, below }: IdRange): RawBuilder<boolean> {
  return sql`ms.message_search match ${query} and ms.rowid >= ${integer(from)} and ms.rowid < ${integer(below)}`;
}

function messageLead(index: string, condition: RawBuilder<unknown>): Lead {
  return {
    isReceived: false,
    candidates: ({ range, order, most }) => sql`
      select id as message_id from message indexed by ${sql.raw(index)}
      where ${condition} and id >= ${range.from} and id < ${range.below}
      order by id ${sql.raw(order)} limit ${most}`,
  };
}

/** A number for comparison with ids. The driver binds reals, by which the full-text index cannot be entered in the middle. */
function integer(value: number): RawBuilder<number> {
  return sql`cast(${value} as integer)`;
}
