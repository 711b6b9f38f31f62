import { accessibleTo } from "../messages/accessible-to.js";
import type { Database } from "../storage/database.js";

/** What a message links. */
export interface MessageLinks {
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
