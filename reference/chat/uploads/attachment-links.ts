import { openableBy } from "../access/find-message.js";
import type { Database } from "../storage/database.js";
import type { Attachment } from "../storage/tables.js";

/** The attachments that a message links. */
interface MessageLinks {
  readonly realmId: number;
  readonly messageId: number;
  /** The author of the text, even if a bot sends it. Only attachments that this user can already open are linked. */
  readonly authorId: number;
  /** `path_id`s of attachments; unknown ones are ignored. */
  readonly paths: ReadonlySet<string>;
}

/** Records the attachments that a message links, so that users who can read the message can open them. */
export async function linkAttachments(
  database: Database,
  { realmId, messageId, authorId, paths }: MessageLinks,
): Promise<void> {
  if (paths.size === 0) return;
  const user = await database
    .selectFrom("user")
    .select(["id", "realm_id", "role"])
    .where("realm_id", "=", realmId)
    .where("id", "=", authorId)
    .executeTakeFirst();
  if (user === undefined) return;
  const allowed = await database
    .selectFrom("attachment")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("path_id", "in", [...paths])
    .where(openableBy(user))
    .execute();
  if (allowed.length === 0) return;
  await database
    .insertInto("attachment_message")
    .values(allowed.map(({ id }) => ({ realm_id: realmId, attachment_id: id, message_id: messageId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Updates the attachments that an edited message links. Returns those that it no longer links and that no other message links,
 * by ascending id.
 *
 * Rule: "Edit a message", `detached_uploads`.
 */
export async function replaceAttachmentLinks(database: Database, links: MessageLinks): Promise<Attachment[]> {
  const { realmId, messageId, paths } = links;
  const allLinks = database.selectFrom("attachment_message").select("attachment_id").where("realm_id", "=", realmId);
  const linked = await database
    .selectFrom("attachment")
    .selectAll()
    .where("realm_id", "=", realmId)
    .where("id", "in", allLinks.where("message_id", "=", messageId))
    .orderBy("id")
    .execute();
  const removed = linked.filter(({ path_id: path }) => !paths.has(path));
  await linkAttachments(database, links);
  if (removed.length === 0) return [];
  const ids = removed.map(({ id }) => id);
  await database
    .deleteFrom("attachment_message")
    .where("realm_id", "=", realmId)
    .where("message_id", "=", messageId)
    .where("attachment_id", "in", ids)
    .execute();
  const still = await allLinks.distinct().where("attachment_id", "in", ids).execute();
  const referenced = new Set(still.map(({ attachment_id: id }) => id));
  return removed.filter(({ id }) => !referenced.has(id));
}
