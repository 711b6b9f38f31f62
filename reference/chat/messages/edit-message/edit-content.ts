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
export function storeContent(
  { database }: Pick<Services, "database">,
  { user, realm }: Caller,
  { target, content, rendered, now }: ContentChange,
): Attachment[] {
  const { id } = target;
  database.run(
    database.sql
      .updateTable("message")
      .set({ content, ...renderedColumns(rendered), edited_at: now })
      .where("id", "=", id),
  );
  const mentioned = mentionedIn(database, target, rendered);
  const received = database.all(
    database.sql.selectFrom("user_message").select(["user_id", "is_mentioned"]).where("message_id", "=", id),
  );
  const changed = received.filter((row) => isMentioned(mentioned, row.user_id) !== (row.is_mentioned === 1));
  if (changed.length > 0) {
    const users = idList(changed.map((row) => row.user_id));
    database.run(sql`
      update user_message set is_mentioned = 1 - is_mentioned where message_id = ${id} and user_id in ${users}`);
  }
  return replaceAttachmentLinks(database, {
    realmId: realm.id,
    messageId: id,
    authorId: user.id,
    paths: rendered.uploadPaths,
  });
}
