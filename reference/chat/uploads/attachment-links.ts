import { accessibleTo } from "../messages/find-message.js";
import type { Database } from "../storage/database.js";
import type { Attachment } from "../storage/tables.js";

/** The attachments that a message links. */
interface MessageLinks {
  readonly realmId: number;
  readonly messageId: number;
  /**
   * The author of the text, even if a bot sends it. Only attachments that this user uploaded, or can already read in a message,
   * are linked.
   */
  readonly authorId: number;
  /** `path_id`s of attachments; unknown ones are ignored. */
  readonly paths: ReadonlySet<string>;
}

/** Records the attachments that a message links, so that users who can read the message can open them. */
export function linkAttachments(database: Database, { realmId, messageId, authorId, paths }: MessageLinks): void {
  const { sql } = database;
  if (paths.size === 0) return;
  const user = database.first(
    sql
      .selectFrom("user")
      .select(["id", "realm_id", "role"])
      .where("id", "=", authorId)
      .where("realm_id", "=", realmId),
  );
  if (user === undefined) return;
  const allowed = sql
    .selectFrom("attachment")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("path_id", "in", [...paths])
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb("owner_id", "=", authorId),
        exists(
          selectFrom("attachment_message")
            .innerJoin("message", "message.id", "attachment_message.message_id")
            .select("message.id")
            .whereRef("attachment_message.attachment_id", "=", "attachment.id")
            .where(accessibleTo(user)),
        ),
      ]),
    );
  for (const { id } of database.all(allowed)) {
    database.run(
      sql
        .insertInto("attachment_message")
        .values({ attachment_id: id, message_id: messageId })
        .onConflict((conflict) => conflict.doNothing()),
    );
  }
}

/**
 * Updates the attachments that an edited message links. Returns those that it no longer links and that no other message links,
 * by ascending id.
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
