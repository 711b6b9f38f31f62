import { createHash } from "node:crypto";
import type { components } from "../../../../generated/chat/types.js";
import type { Caller } from "../../services.js";
import type { Database } from "../../storage/database.js";
import { avatarUrl } from "../../users/avatar.js";
import { seesRealEmails, visibleEmail } from "../../users/email-addresses.js";

/** A user as the caller sees it. */
export interface VisibleUser {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly avatarUrl: string | null;
}

/** Reads users by id. With `clientGravatar`, avatars are null if the caller can compute the Gravatar URL. */
export async function visibleUsers(
  database: Database,
  { user: caller, realm }: Caller,
  ids: ReadonlySet<number>,
  clientGravatar: boolean,
): Promise<Map<number, VisibleUser>> {
  const seesReal = await seesRealEmails(database, caller, realm);
  const users = await database
    .selectFrom("user")
    .leftJoin("inaccessible_user as hidden", (join) =>
      join
        .on("hidden.realm_id", "=", realm.id)
        .on("hidden.viewer_id", "=", caller.id)
        .onRef("hidden.user_id", "=", "user.id"),
    )
    .select(["user.id", "user.full_name", "user.email", "user.has_gravatar", "hidden.user_id as hidden_id"])
    .where("user.realm_id", "=", realm.id)
    .where("user.id", "in", [...ids])
    .execute();
  return new Map(
    users.map(({ id, full_name, email: realEmail, has_gravatar, hidden_id }) => {
      const seesThis = id === caller.id || (seesReal && hidden_id === null);
      const email = visibleEmail(seesThis, { id, email: realEmail }, realm);
      // A Gravatar hash would reveal a hidden address to anyone who guesses it.
      const picture = !(has_gravatar && seesThis) ? avatarUrl(id) : clientGravatar ? null : gravatarUrl(realEmail);
      return [id, { id, email, fullName: hidden_id === null ? full_name : "Unknown user", avatarUrl: picture }];
    }),
  );
}

function gravatarUrl(email: string): string {
  const hash = createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
  return `https://secure.gravatar.com/avatar/${hash}?d=identicon`;
}

/** Names of these channels, by id. */
export async function readChannelNames(
  database: Database,
  realmId: number,
  ids: ReadonlySet<number>,
): Promise<Map<number, string>> {
  if (ids.size === 0) return new Map();
  const channels = await database
    .selectFrom("channel")
    .select(["id", "name"])
    .where("realm_id", "=", realmId)
    .where("id", "in", [...ids])
    .execute();
  return new Map(channels.map(({ id, name }) => [id, name]));
}

/** Member ids of these conversations, by conversation id. */
export async function readConversationMembers(
  database: Database,
  realmId: number,
  ids: ReadonlySet<number>,
): Promise<Map<number, number[]>> {
  if (ids.size === 0) return new Map();
  const members = await database
    .selectFrom("conversation_member")
    .select(["conversation_id", "user_id"])
    .where("realm_id", "=", realmId)
    .where("conversation_id", "in", [...ids])
    .orderBy("user_id")
    .execute();
  return groupBy(members, ({ conversation_id, user_id }) => [conversation_id, user_id]);
}

type Reaction = components["schemas"]["Reaction"];

/** The reactions to these messages, by message id. */
export async function readReactions(
  database: Database,
  realmId: number,
  messageIds: readonly number[],
): Promise<Map<number, Reaction[]>> {
  const reactions = await database
    .selectFrom("reaction")
    .select(["message_id", "emoji_name", "emoji_code", "reaction_type", "user_id"])
    .where("realm_id", "=", realmId)
    .where("message_id", "in", messageIds)
    .orderBy("message_id")
    .orderBy("user_id")
    .orderBy("reaction_type")
    .orderBy("emoji_code")
    .execute();
  return groupBy(reactions, ({ message_id, reaction_type, ...reaction }) => [
    message_id,
    { ...reaction, reaction_type: reaction_type as Reaction["reaction_type"] },
  ]);
}

/** Groups rows by the key that `entryOf` returns with each value. */
export function groupBy<Row, Value>(
  rows: readonly Row[],
  entryOf: (row: Row) => [number, Value],
): Map<number, Value[]> {
  const groups = new Map<number, Value[]>();
  for (const row of rows) {
    const [key, value] = entryOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
