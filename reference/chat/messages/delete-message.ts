import type { Services } from "../services.js";

/** Deletes a message of an organization, and the attachments that no other message links (States and transitions, row 9). */
export async function deleteMessage(
  { database, uploads }: Pick<Services, "database" | "uploads">,
  { id, realmId }: { readonly id: number; readonly realmId: number },
): Promise<"deleted" | "unknown"> {
  const { sql } = database;
  const unused = database.transaction(() => {
    const found = sql.selectFrom("message").select("id").where("id", "=", id).where("realm_id", "=", realmId);
    if (database.first(found) === undefined) return undefined;
    const linked = database.all(
      sql.selectFrom("attachment_message").select("attachment_id").where("message_id", "=", id),
    );
    for (const table of ["user_message", "message_edit", "reaction", "attachment_message"] as const) {
      database.run(sql.deleteFrom(table).where("message_id", "=", id));
    }
    database.run(sql.updateTable("reminder").set({ message_id: null }).where("message_id", "=", id));
    database.run(sql.deleteFrom("message").where("id", "=", id));
    const still = sql.selectFrom("attachment_message").select("attachment_id");
    const files = linked.flatMap(({ attachment_id: attachmentId }) => {
      const attachment = database.first(
        sql.selectFrom("attachment").select("stored_as").where("id", "=", attachmentId).where("id", "not in", still),
      );
      if (attachment === undefined) return [];
      database.run(sql.deleteFrom("attachment").where("id", "=", attachmentId));
      return [attachment.stored_as];
    });
    return files;
  });
  if (unused === undefined) return "unknown";
  await database.settled();
  for (const file of unused) await uploads.remove(file).catch(() => {});
  return "deleted";
}
