import { refuse } from "../../../src/chat/server/index.js";
import { badRequest } from "../bad-request.js";
import { isInGroup } from "../groups/is-in-group.js";
import type { RenderedMessage } from "../rendering/render-message.js";
import type { Caller, Services } from "../services.js";
import type { Database } from "../storage/database.js";
import { recipientsOf } from "./destination.js";
import { topicParticipants } from "./topic-participants.js";

/** With more than this many subscribers, or participants of a topic, wildcard mentions are restricted. */
export const manyUsers = 15;

type Wildcards = Pick<RenderedMessage, "mentionsChannel" | "mentionsTopic">;

/** A topic of a channel. */
interface Topic {
  readonly channelId: number;
  readonly topic: string;
}

/**
 * Throws a refusal when a message in a topic mentions many users at once and the caller is not in can_mention_many_users_group.
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

/** The wildcard in a message by which a user would mention many others without being in can_mention_many_users_group. */
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
  if (mentionsChannel && recipientsOf(database, { kind: "channel", channelId, topic }).length > manyUsers) {
    return "channel";
  }
  return mentionsTopic && topicParticipants(database, channelId, topic).size > manyUsers ? "topic" : undefined;
}
