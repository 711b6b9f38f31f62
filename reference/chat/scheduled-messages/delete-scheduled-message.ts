import { badRequest } from "../bad-request.js";
import type { Operation, Services } from "../services.js";

/** Delete a scheduled message. One of another user does not exist for the caller. */
export function createDeleteScheduledMessage({ database }: Services): Operation<"deleteScheduledMessage"> {
  return ({ parameters, caller: { user, realm } }) => {
    const { changes } = database.run(
      database.sql
        .deleteFrom("scheduled_message")
        .where("id", "=", parameters.scheduled_message_id)
        .where("sender_id", "=", user.id)
        .where("realm_id", "=", realm.id),
    );
    if (changes === 0) throw badRequest("Scheduled message does not exist");
  };
}
