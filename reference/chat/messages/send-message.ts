import { sql } from "kysely";
import { secondsNow } from "../clock.js";
import type { RenderedMessage } from "../rendering/render-message.js";
import type { Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";
import { linkAttachments } from "../uploads/attachment-links.js";
import { type Destination, findOrCreateConversation, recipientsOf } from "./destination.js";
import type { Author } from "./look-up-names.js";
import { isMentioned, mentionedIn } from "./mentions.js";
import { renderContent } from "./render-content.js";
import { indexMessages } from "./search-index.js";

/** A message to send, after the permission check. */
export interface MessageToSend {
  readonly realm: Realm;
  readonly senderId: number;
  /**
   * The user whose words a bot sends, or to whom it writes. Names unknown to this user stay text, and uploads that this user
   * cannot read are not linked. Defaults to the sender.
   */
  readonly onBehalfOf?: number;
  readonly to: Destination;
  /** Raw Markdown. */
  readonly content: string;
  /** The content, if it was already rendered for the same user. */
  readonly rendered?: RenderedMessage;
  /** UNIX seconds; defaults to the current time of the organization. */
  readonly sentAt?: number;
  /** Users who have read it already, besides the sender and the users who muted the sender. */
  readonly readBy?: readonly number[];
  /** The client that sent the message. Defaults to `API`. */
  readonly client?: string;
}

/** Sends a message: renders and stores it, and delivers it to its recipients. Returns its id. */
export async function sendMessage(
  { database, clock }: Pick<Services, "database" | "clock">,
  message: MessageToSend,
): Promise<number> {
  const { realm, senderId, to, content, sentAt = secondsNow(clock, realm), client = "API" } = message;
  const { onBehalfOf = senderId } = message;
  const author = await authorOf(database, realm, onBehalfOf);
  const { rendered = await renderContent(database, author, content) } = message;
  const { id } = await database
    .insertInto("message")
    .values({
      ...placeOf(realm.id, to),
      sender_id: senderId,
      conversation_id: to.kind === "direct" ? to.conversationId : null,
      content,
      ...renderedColumns(rendered),
      sent_at: sentAt,
      client,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await indexMessages(database, sql`realm_id = ${realm.id} and id = ${id}`);
  await deliver(database, id, { ...message, rendered });
  const { uploadPaths: paths } = rendered;
  await linkAttachments(database, { realmId: realm.id, messageId: id, authorId: onBehalfOf, paths });
  return id;
}

function placeOf(realmId: number, to: Destination) {
  return to.kind === "channel"
    ? { realm_id: realmId, channel_id: to.channelId, topic: to.topic }
    : { realm_id: realmId, channel_id: null, topic: "" };
}

async function authorOf(database: Database, realm: Realm, userId: number): Promise<Author> {
  const author = await database
    .selectFrom("user")
    .select(["id", "role", "realm_id"])
    .where("realm_id", "=", realm.id)
    .where("id", "=", userId)
    .executeTakeFirst();
  if (author === undefined) throw new Error(`organization ${realm.id} has no user ${userId}`);
  return author;
}

/** The columns of a message that derive from its rendered content. */
export function renderedColumns(rendered: RenderedMessage) {
  return {
    rendered_content: rendered.html,
    is_me_message: rendered.isMe,
  };
}

/** Maximum rows of one insert, because a statement has a maximum number of parameters. */
const maxRows = 1000;

async function deliver(
  database: Database,
  id: number,
  message: MessageToSend & { readonly rendered: RenderedMessage },
): Promise<void> {
  const { realm, senderId, to, readBy = [], rendered } = message;
  const mutes = await database
    .selectFrom("muted_user")
    .select("user_id")
    .where("realm_id", "=", realm.id)
    .where("muted_user_id", "=", senderId)
    .execute();
  const readers = new Set([senderId, ...readBy, ...mutes.map(({ user_id }) => user_id)]);
  const mentioned = await mentionedIn(database, placeOf(realm.id, to), rendered);
  const recipients = await recipientsOf(database, realm.id, to);
  const rows = [...new Set([...recipients, ...(to.kind === "direct" ? [senderId] : [])])].map((userId) => ({
    realm_id: realm.id,
    user_id: userId,
    message_id: id,
    is_read: readers.has(userId),
    is_mentioned: isMentioned(mentioned, userId),
  }));
  for (let start = 0; start < rows.length; start += maxRows) {
    await database
      .insertInto("user_message")
      .values(rows.slice(start, start + maxRows))
      .execute();
  }
}

/**
 * Sends a user a direct message from the notification bot, resolving only names that the user may know. Returns its id. Throws
 * if the organization has no notification bot.
 */
export async function notify(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  userId: number,
  content: string,
): Promise<number> {
  const { notification_bot_id: botId } = realm;
  if (botId === null) throw new Error(`organization ${realm.id} has no notification bot`);
  const conversationId = await findOrCreateConversation(services.database, realm.id, [botId, userId]);
  const to = { kind: "direct", conversationId } as const;
  return sendMessage(services, { realm, senderId: botId, onBehalfOf: userId, to, content });
}
