import type { Database } from "../storage/database.js";

/** Who mutes whom, and when. */
interface Mute {
  readonly muterId: number;
  readonly mutedId: number;
  /** UNIX seconds. */
  readonly at: number;
}

/**
 * Mutes a user for another one and marks all existing messages from the user read for the muter (States and transitions, User
 * muted). Returns false, and does nothing, when the user was muted already.
 */
export function recordMute(database: Database, { muterId, mutedId, at }: Mute): boolean {
  const { sql } = database;
  return database.transaction(() => {
    const row = { user_id: muterId, muted_user_id: mutedId, muted_at: at };
    const insert = sql.insertInto("muted_user").values(row);
    if (database.run(insert.onConflict((conflict) => conflict.doNothing())).changes === 0) return false;
    database.run(
      sql
        .updateTable("user_message")
        .set({ is_read: true })
        .where("user_id", "=", muterId)
        .where("is_read", "=", 0)
        .where("message_id", "in", sql.selectFrom("message").select("id").where("sender_id", "=", mutedId)),
    );
    return true;
  });
}
