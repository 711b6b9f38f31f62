import { accessibleTo } from "../messages/find-message.js";
import type { Database } from "../storage/database.js";
import type { Attachment } from "../storage/tables.js";

/** What a message links. */
interface MessageLinks {
  readonly realmId: number;
  readonly messageId: number;
  /** Whose words the message has, also where a bot sends it. Only what this user uploaded, or can read already in a message, is linked. */
  readonly authorId: number;
  /** As `path_id` of the attachments; others than existing ones are passed over. */
  readonly paths: ReadonlySet<string>;
}

/** Notes which attachments a message links, so that whoever can read the message can open them. */
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
