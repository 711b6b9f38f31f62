import { sql } from "kysely";
import type { RenderedMessage } from "../../rendering/render-message.js";
import type { Caller, Services } from "../../services.js";
import { idList } from "../../storage/database.js";
import type { Attachment, Message } from "../../storage/tables.js";
import { replaceAttachmentLinks } from "../../uploads/attachment-links.js";
import { isMentioned, mentionedIn } from "../mentions.js";
import { renderedColumns } from "../send-message.js";

/** New content of a message, after the permission check. */
export interface ContentChange {
  /** The message before the edit. */
  readonly target: Message;
  readonly content: string;
  readonly rendered: RenderedMessage;
  /** UNIX seconds. */
  readonly now: number;
}

/**
 * Stores new content, and updates the mentions of its recipients and the links to attachments. The caller has already recorded
 * the old content in the edit history. Returns the attachments that no message links any more.
 *
 * Rule: "Edit a message", `content` and `detached_uploads`.
 */
export async function storeContent(
  { database }: Pick<Services, "database">,
  { user, realm }: Caller,
  { target, content, rendered, now }: ContentChange,
): Promise<Attachment[]> {
  const { id, realm_id } = target;
  await database
    .updateTable("message")
    .set({ content, ...renderedColumns(rendered), edited_at: now })
    .where("realm_id", "=", realm_id)
    .where("id", "=", id)
    .execute();
  const mentioned = await mentionedIn(database, target, rendered);
  const received = await database
    .selectFrom("user_message")
    .select(["user_id", "is_mentioned"])
    .where("realm_id", "=", realm_id)
    .where("message_id", "=", id)
    .execute();
  const changed = received.filter((row) => isMentioned(mentioned, row.user_id) !== row.is_mentioned);
  if (changed.length > 0) {
    const users = changed.map((row) => row.user_id);
    await sql`
      update user_message set is_mentioned = not is_mentioned
      where realm_id = ${realm_id} and message_id = ${id} and user_id in ${idList(database, users)}`.execute(database);
  }
  return replaceAttachmentLinks(database, {
    realmId: realm.id,
    messageId: id,
    authorId: user.id,
    paths: rendered.uploadPaths,
  });
}
