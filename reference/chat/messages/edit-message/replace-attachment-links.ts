import type { Database } from "../../storage/database.js";
import type { Attachment } from "../../storage/tables.js";
import { linkAttachments, type MessageLinks } from "../../uploads/link-attachments.js";

/**
 * Notes which attachments an edited message links now. Returns those that it linked before and that no message links any more, by
 * ascending id.
 *
 * Rule: "Edit a message", `detached_uploads`.
 */
export function replaceAttachmentLinks(database: Database, links: MessageLinks): Attachment[] {
  const { sql } = database;
  const { messageId, paths } = links;
  const linked = sql
    .selectFrom("attachment")
    .innerJoin("attachment_message", "attachment_message.attachment_id", "attachment.id")
    .selectAll("attachment")
    .where("attachment_message.message_id", "=", messageId)
    .orderBy("attachment.id");
  const removed = database.all(linked).filter(({ path_id: path }) => !paths.has(path));
  linkAttachments(database, links);
  if (removed.length === 0) return [];
  const ids = removed.map(({ id }) => id);
  database.run(
    sql.deleteFrom("attachment_message").where("message_id", "=", messageId).where("attachment_id", "in", ids),
  );
  const referenced = new Set(
    database
      .all(sql.selectFrom("attachment_message").select("attachment_id").distinct().where("attachment_id", "in", ids))
      .map(({ attachment_id: id }) => id),
  );
  return removed.filter(({ id }) => !referenced.has(id));
}
