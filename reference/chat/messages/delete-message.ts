import type { Services } from "../services.js";
import type { Database } from "../storage/database.js";
import { deleteAttachments } from "../uploads/attachments.js";
import { unindexMessages } from "./search-index.js";

/** A message of an organization. */
interface OneMessage {
  readonly id: number;
  readonly realmId: number;
}

/** Deletes a message of an organization, and the attachments that no other message links (States and transitions, row 9). */
export async function deleteMessage(
  { database }: Pick<Services, "database">,
  message: OneMessage,
): Promise<"deleted" | "unknown"> {
  const { id, realmId } = message;
  const found = await database
    .selectFrom("message")
    .select("id")
    .where("realm_id", "=", realmId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (found === undefined) return "unknown";
  await deleteOwnAttachments(database, message);
  for (const table of ["user_message", "message_edit", "reaction", "attachment_message"] as const) {
    await database.deleteFrom(table).where("realm_id", "=", realmId).where("message_id", "=", id).execute();
  }
  await database
    .updateTable("reminder")
    .set({ message_id: null })
    .where("realm_id", "=", realmId)
    .where("message_id", "=", id)
    .execute();
  await unindexMessages(database, [id]);
  await database.deleteFrom("message").where("realm_id", "=", realmId).where("id", "=", id).execute();
  return "deleted";
}

/** Deletes the attachments that only this message links. */
async function deleteOwnAttachments(database: Database, { id, realmId }: OneMessage): Promise<void> {
  const links = database.selectFrom("attachment_message").select("attachment_id").where("realm_id", "=", realmId);
  const own = await database
    .selectFrom("attachment")
    .select(["id", "stored_as"])
    .where("realm_id", "=", realmId)
    .where("id", "in", links.where("message_id", "=", id))
    .where("id", "not in", links.where("message_id", "!=", id))
    .execute();
  await deleteAttachments(database, realmId, own);
}
