import { sql } from "kysely";
import { refuse } from "../../../src/chat/server/index.js";
import { isInGroup } from "../access/membership.js";
import { badRequest } from "../refusals.js";
import type { RenderedMessage } from "../rendering/render-message.js";
import type { Caller, Services } from "../services.js";
import { type Database, keyOf } from "../storage/database.js";
import type { Message } from "../storage/tables.js";
import { recipientsOf } from "./destination.js";

/** The users that a message mentions: all recipients, or the users with these ids. */
export type Mentioned = "all" | ReadonlySet<number>;

/**
 * Returns the users that a message mentions by name, through a group or by a wildcard. The topic wildcard mentions the
 * participants of the topic.
 */
export async function mentionedIn(
  database: Database,
  { realm_id, channel_id: channelId, topic }: Pick<Message, "realm_id" | "channel_id" | "topic">,
  { mentionedUserIds, mentionsChannel, mentionsTopic }: RenderedMessage,
): Promise<Mentioned> {
  if (mentionsChannel) return "all";
  if (!mentionsTopic) return mentionedUserIds;
  // All members of a direct conversation are its participants.
  if (channelId === null) return "all";
  return new Set([...mentionedUserIds, ...(await topicParticipants(database, realm_id, channelId, topic))]);
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
export async function checkWildcardMentions(
  { database, behaviour }: Pick<Services, "database" | "behaviour">,
  caller: Caller,
  rendered: Wildcards,
  at: Topic,
): Promise<void> {
  const kind = await forbiddenWildcard(database, caller, rendered, at);
  if (kind === undefined) return;
  const msg = `You do not have permission to use ${kind} wildcard mentions in this ${kind}`;
  throw kind === "channel" && behaviour.wildcardMentionCode
    ? refuse(400, { code: "STREAM_WILDCARD_MENTION_NOT_ALLOWED", msg })
    : badRequest(msg);
}

/**
 * The kind of wildcard mention in a message that the user may not use, because it reaches many users and the user is not in
 * can_mention_many_users_group; undefined if there is none.
 */
export async function forbiddenWildcard(
  database: Database,
  { user, realm }: Caller,
  rendered: Wildcards,
  at: Topic,
): Promise<"channel" | "topic" | undefined> {
  const kind = await wildcardToMany(database, realm.id, rendered, at);
  return kind === undefined || (await isInGroup(database, user, realm.can_mention_many_users_group)) ? undefined : kind;
}

async function wildcardToMany(
  database: Database,
  realmId: number,
  { mentionsChannel, mentionsTopic }: Wildcards,
  { channelId, topic }: Topic,
): Promise<"channel" | "topic" | undefined> {
  if (
    mentionsChannel &&
    (await recipientsOf(database, realmId, { kind: "channel", channelId, topic })).length > maxUnrestrictedMentions
  ) {
    return "channel";
  }
  return mentionsTopic && (await topicParticipants(database, realmId, channelId, topic)).size > maxUnrestrictedMentions
    ? "topic"
    : undefined;
}

/** The ids of the participants of a topic: users who have sent a message in it or reacted to one. */
async function topicParticipants(
  database: Database,
  realmId: number,
  channelId: number,
  topic: string,
): Promise<Set<number>> {
  const inTopic = sql`m.realm_id = ${realmId} and m.channel_id = ${channelId} and m.topic_key = ${keyOf(topic)}`;
  const { rows } = await sql<{ id: number }>`
    select m.sender_id as id from message m where ${inTopic}
    union
    select r.user_id as id from message m
      join reaction r on r.realm_id = m.realm_id and r.message_id = m.id
      where ${inTopic}`.execute(database);
  return new Set(rows.map(({ id }) => id));
}
