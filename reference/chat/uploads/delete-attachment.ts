import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";

/**
 * Deletes an attachment of the caller. One of somebody else is answered like one that does not exist. Messages that link it keep
 * the link, which leads nowhere (Delete an attachment).
 */
export function createDeleteAttachment({ database, uploads }: Services): Operation<"deleteAttachment"> {
  const { sql } = database;

  function take(id: number, ownerId: number): string | undefined {
    return database.transaction(() => {
      const attachment = database.first(
        sql.selectFrom("attachment").select("stored_as").where("id", "=", id).where("owner_id", "=", ownerId),
      );
      if (attachment === undefined) return undefined;
      database.run(sql.deleteFrom("attachment_message").where("attachment_id", "=", id));
      database.run(sql.deleteFrom("attachment").where("id", "=", id));
      return attachment.stored_as;
    });
  }

  return async ({ parameters, caller }) => {
    const storedAs = take(parameters.attachment_id, caller.user.id);
    if (storedAs === undefined) return badRequest("Invalid attachment");
    await database.settled();
    // The attachment is gone; a file that cannot be removed only takes up space.
    await uploads.remove(storedAs).catch(() => {});
    return undefined;
  };
}
