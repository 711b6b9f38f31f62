import { sql } from "kysely";
import type { RenderedMessage } from "../../rendering/render-message.js";
import type { Caller, Services } from "../../services.js";
import { idList } from "../../storage/database.js";
import type { Attachment, Message } from "../../storage/tables.js";
import { replaceAttachmentLinks } from "../../uploads/attachment-links.js";
import { isMentioned, mentionedIn } from "../mentions.js";
import { renderedColumns } from "../send-message.js";

/** A new content of a message. Whoever calls has checked that the caller may write it. */
export interface ContentChange {
  /** The message as it is before. */
  readonly target: Message;
  readonly content: string;
  readonly rendered: RenderedMessage;
  /** UNIX seconds. */
  readonly now: number;
}

/**
 * Writes a new content, the mentions of those who have received the message, and which attachments it links. The entry of the edit
 * history, which holds the old content, has been written before. Returns the attachments that no message links any more.
 *
 * Rule: "Edit a message", `content` and `detached_uploads`.
 */
export function editContent(
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
