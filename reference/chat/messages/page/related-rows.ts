import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { components } from "../../../../generated/chat/types.js";
import type { Caller } from "../../services.js";
import { type Database, idList } from "../../storage/database.js";
import { avatarUrl } from "../../users/avatar.js";
import { seesRealEmails, visibleEmail } from "../../users/email-addresses.js";
import { jsonRows } from "./json-rows.js";

/** A user as the caller sees it. */
export interface VisibleUser {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly avatarUrl: string | null;
}

type UserRow = readonly [id: number, fullName: string, email: string, hasGravatar: 0 | 1, isInaccessible: 0 | 1];

/** Reads users by id. With `clientGravatar`, avatars are null if the caller can compute the Gravatar URL. */
export function visibleUsers(
  database: Database,
  { user: caller, realm }: Caller,
  ids: Iterable<number>,
  clientGravatar: boolean,
): Map<number, VisibleUser> {
  const seesReal = seesRealEmails(database, caller, realm);
  const rows = jsonRows<UserRow>(database, {
    row: sql`json_array(user.id, user.full_name, user.email, user.has_gravatar, iu.user_id is not null)`,
    from: sql`user left join inaccessible_user iu on iu.viewer_id = ${caller.id} and iu.user_id = user.id
      where user.id in ${idList(ids)}`,
  });
  return new Map(
    rows.map(([id, fullName, realEmail, hasGravatar, isInaccessible]) => {
      const seesThis = id === caller.id || (seesReal && isInaccessible === 0);
      const email = visibleEmail(seesThis, { id, email: realEmail }, realm);
      // A Gravatar hash would reveal a hidden address to anyone who guesses it.
      const gravatar = hasGravatar === 1 && seesThis;
      const picture = !gravatar ? avatarUrl(id) : clientGravatar ? null : gravatarUrl(realEmail);
      return [id, { id, email, fullName: isInaccessible === 1 ? "Unknown user" : fullName, avatarUrl: picture }];
    }),
  );
}

function gravatarUrl(email: string): string {
  const hash = createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon`;
}

/** Names of these channels, by id. */
export function readChannelNames(database: Database, ids: ReadonlySet<number>): Map<number, string> {
  if (ids.size === 0) return new Map();
  return new Map(
    jsonRows<[id: number, name: string]>(database, {
      row: sql`json_array(id, name)`,
      from: sql`channel where id in ${idList(ids)}`,
    }),
  );
}

/** Member ids of these conversations, by conversation id. */
export function readConversationMembers(database: Database, ids: ReadonlySet<number>): Map<number, number[]> {
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

type Reaction = components["schemas"]["Reaction"];

type ReactionRow = readonly [
  messageId: number,
  emoji_name: string,
  emoji_code: string,
  reaction_type: Reaction["reaction_type"],
  user_id: number,
];

/** The reactions to these messages, by message id. */
export function readReactions(database: Database, messageIds: readonly number[]): Map<number, Reaction[]> {
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
