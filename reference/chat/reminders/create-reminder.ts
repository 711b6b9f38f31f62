import { badRequest } from "../bad-request.js";
import { secondsNow } from "../clock.js";
import { deliverReminder } from "../due/deliver-reminder.js";
import { isLongerThan } from "../limits.js";
import { findMessage } from "../messages/find-message.js";
import type { Operation, Services } from "../services.js";
import { rowsOf } from "../storage/rows-of.js";

/** Most characters of a note, counted in Unicode code points. */
const maxNoteLength = 1000;
/** The last second of the year 9999. */
const latestTimestamp = 253_402_300_799;
/** Most reminders of one user that are not due yet. */
const mostPending = 1000;

/** Create a message reminder. One without a time is delivered at once. */
export function createCreateReminder(services: Services): Operation<"createReminder"> {
  const { database, clock } = services;
  return ({ parameters, caller: { user, realm } }) => {
    const { message_id: messageId, scheduled_delivery_timestamp: timestamp, note = "" } = parameters;
    const created = database.transaction(() => {
      const now = secondsNow(clock, realm);
      if (messageId !== undefined && findMessage(database, user, messageId) === undefined)
        throw badRequest("Invalid message(s)");
      if (timestamp !== undefined && timestamp < now)
        throw badRequest("scheduled_delivery_timestamp must not be in the past");
      if (timestamp !== undefined && timestamp > latestTimestamp)
        throw badRequest("scheduled_delivery_timestamp must not be after the year 9999");
      if (note.includes("\0")) throw badRequest("note must not contain null bytes");
      if (isLongerThan(note, maxNoteLength)) throw badRequest(`note must have at most ${maxNoteLength} characters`);
      if (rowsOf(database, "reminder", user.id) >= mostPending)
        throw badRequest(`There are ${mostPending} reminders pending already, which is the most`);
      const row = { user_id: user.id, message_id: messageId ?? null, note };
      const { insertedId: id } = database.run(
        database.sql.insertInto("reminder").values({ ...row, realm_id: realm.id, due_at: timestamp ?? now }),
      );
      if (timestamp === undefined) deliverReminder(services, realm, { ...row, id });
      return { reminder_id: id };
    });
    services.reschedule();
    return created;
  };
}
