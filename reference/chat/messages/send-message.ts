import { sql } from "kysely";
import { secondsNow } from "../clock.js";
import type { RenderedMessage } from "../rendering/render-message.js";
import type { Services } from "../services.js";
import type { Database } from "../storage/database.js";
import type { Realm } from "../storage/tables.js";
import { linkAttachments } from "../uploads/attachment-links.js";
import { type Destination, findConversation, recipientsOf } from "./destination.js";
import { isMentioned, mentionedIn } from "./mentions.js";
import { type Author, renderContent } from "./render-content.js";
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
  /** The client that sent the message. */
  readonly client?: string;
}

/** Sends a message: renders and stores it, and delivers it to its recipients. Returns its id. */
export function sendMessage({ database, clock }: Pick<Services, "database" | "clock">, message: MessageToSend): number {
  const { realm, senderId, to, content, sentAt = secondsNow(clock, realm), client = "API" } = message;
  const { onBehalfOf = senderId } = message;
  return database.transaction(() => {
    const { rendered = renderContent(database, authorOf(database, realm, onBehalfOf), content) } = message;
    const topic = to.kind === "channel" ? to.topic : "";
    const { insertedId: id } = database.run(
      database.sql.insertInto("message").values({
        realm_id: realm.id,
        sender_id: senderId,
        channel_id: to.kind === "channel" ? to.channelId : null,
        conversation_id: to.kind === "direct" ? to.conversationId : null,
        topic,
        content,
        ...renderedColumns(rendered),
        sent_at: sentAt,
        client,
      }),
    );
    indexMessages(database, sql`id = ${id}`);
    deliver(database, id, { ...message, rendered });
    linkAttachments(database, { realmId: realm.id, messageId: id, authorId: onBehalfOf, paths: rendered.uploadPaths });
    return id;
  });
}

function authorOf(database: Database, realm: Realm, userId: number): Author {
  const author = database.first(
    database.sql
      .selectFrom("user")
      .select(["id", "role", "realm_id"])
      .where("id", "=", userId)
      .where("realm_id", "=", realm.id),
  );
  if (author === undefined) throw new Error(`organization ${realm.id} has no user ${userId}`);
  return author;
}

/** The columns of a message that derive from its rendered content. */
export function renderedColumns(rendered: RenderedMessage) {
  return {
    rendered_content: rendered.html,
    is_me_message: rendered.isMe,
    has_link: rendered.hasLink,
    has_image: rendered.hasImage,
    has_attachment: rendered.uploadPaths.size > 0,
  };
}

function deliver(
  database: Database,
  id: number,
  message: MessageToSend & { readonly rendered: RenderedMessage },
): void {
  const { senderId, to, readBy = [], rendered } = message;
  const { sql } = database;
  const mutedBy = database
    .all(sql.selectFrom("muted_user").select("user_id").where("muted_user_id", "=", senderId))
    .map(({ user_id }) => user_id);
  const readers = new Set([senderId, ...readBy, ...mutedBy]);
  const place = to.kind === "channel" ? { channel_id: to.channelId, topic: to.topic } : { channel_id: null, topic: "" };
  const mentioned = mentionedIn(database, place, rendered);
  for (const userId of new Set([...recipientsOf(database, to), ...(to.kind === "direct" ? [senderId] : [])])) {
    database.run(
      sql.insertInto("user_message").values({
        user_id: userId,
        message_id: id,
        is_read: readers.has(userId),
        is_mentioned: isMentioned(mentioned, userId),
      }),
    );
  }
}

/**
 * Sends a user a direct message from the notification bot, resolving only names that the user may know. Returns its id. Throws
 * if the organization has no notification bot.
 */
export function notify(
  services: Pick<Services, "database" | "clock">,
  realm: Realm,
  userId: number,
  content: string,
): number {
  const { notification_bot_id: botId } = realm;
  if (botId === null) throw new Error(`organization ${realm.id} has no notification bot`);
  const conversationId = findConversation(services.database, realm.id, [botId, userId]);
  const to = { kind: "direct", conversationId } as const;
  return sendMessage(services, { realm, senderId: botId, onBehalfOf: userId, to, content });
}
