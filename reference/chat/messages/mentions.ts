import { sql } from "kysely";
import { refuse } from "../../../src/chat/server/index.js";
import { isInGroup } from "../groups/membership.js";
import { badRequest } from "../refusals.js";
import type { RenderedMessage } from "../rendering/render-message.js";
import type { Caller, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Message } from "../storage/tables.js";
import { recipientsOf } from "./destination.js";

/** The users that a message mentions: all recipients, or the users with these ids. */
export type Mentioned = "all" | ReadonlySet<number>;

/**
 * Returns the users that a message mentions by name, through a group or by a wildcard. The topic wildcard mentions the
 * participants of the topic.
 */
export function mentionedIn(
  database: Database,
  { channel_id: channelId, topic }: Pick<Message, "channel_id" | "topic">,
  { mentionedUserIds, mentionsChannel, mentionsTopic }: RenderedMessage,
): Mentioned {
  if (mentionsChannel) return "all";
  if (!mentionsTopic) return mentionedUserIds;
  // All members of a direct conversation are its participants.
  if (channelId === null) return "all";
  return new Set([...mentionedUserIds, ...topicParticipants(database, channelId, topic)]);
}

/** Whether a recipient of the message is mentioned. */
export function isMentioned(mentioned: Mentioned, userId: number): boolean {
  return mentioned === "all" || mentioned.has(userId);
}

/** Maximum subscribers, or participants of a topic, for unrestricted wildcard mentions. */
export const maxUnrestrictedMentions = 15;

type Wildcards = Pick<RenderedMessage, "mentionsChannel" | "mentionsTopic">;

/** A topic of a channel. */
interface Topic {
  readonly channelId: number;
  readonly topic: string;
}

/**
 * Throws a refusal if a message in a topic mentions many users at once and the caller is not in can_mention_many_users_group.
 *
 * Rules: "Edit a message", Errors, STREAM_WILDCARD_MENTION_NOT_ALLOWED; "Versioning", 229.
 */
export function checkWildcardMentions(
  { database, behaviour }: Pick<Services, "database" | "behaviour">,
  caller: Caller,
  rendered: Wildcards,
  at: Topic,
): void {
  const kind = forbiddenWildcard(database, caller, rendered, at);
  if (kind === undefined) return;
  const msg = `You do not have permission to use ${kind} wildcard mentions in this ${kind}`;
  throw kind === "channel" && behaviour.wildcardMentionCode
    ? refuse(400, { code: "STREAM_WILDCARD_MENTION_NOT_ALLOWED", msg })
    : badRequest(msg);
}

/**
 * The kind of wildcard mention in a message that the user may not use, because it reaches many users and the user is not in
 * can_mention_many_users_group.
 */
export function forbiddenWildcard(
  database: Database,
  { user, realm }: Caller,
  rendered: Wildcards,
  at: Topic,
): "channel" | "topic" | undefined {
  const kind = wildcardToMany(database, rendered, at);
  return kind === undefined || isInGroup(database, user, realm.can_mention_many_users_group) ? undefined : kind;
}

function wildcardToMany(
  database: Database,
  { mentionsChannel, mentionsTopic }: Wildcards,
  { channelId, topic }: Topic,
): "channel" | "topic" | undefined {
  if (
    mentionsChannel &&
    recipientsOf(database, { kind: "channel", channelId, topic }).length > maxUnrestrictedMentions
  ) {
    return "channel";
  }
  return mentionsTopic && topicParticipants(database, channelId, topic).size > maxUnrestrictedMentions
    ? "topic"
    : undefined;
}

/** The ids of the participants of a topic: users who have sent a message in it or reacted to one. */
function topicParticipants(database: Database, channelId: number, topic: string): Set<number> {
  const rows = database.all(sql<{ id: number }>`
    select sender_id as id from message where channel_id = ${channelId} and topic = ${topic}
    union
    select reaction.user_id from message join reaction on reaction.message_id = message.id
      where channel_id = ${channelId} and topic = ${topic}`);
  return new Set(rows.map(({ id }) => id));
}
