import type { Clock } from "../clock.js";
import type { Services } from "../services.js";

/** Minimum age of stray bytes, because they are stored shortly before their attachment. */
export const minStrayAgeMs = 24 * 60 * 60 * 1000;

/** Maximum time that an incomplete upload may be idle. */
export const maxIdleMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Removes incomplete resumable uploads that have been idle for a week, and bytes that have had no attachment for a day. If the
 * server crashes after it stored bytes and before it recorded them, they have no attachment.
 */
export async function removeStaleChunks({ database }: Services, clock: Clock): Promise<void> {
  await database
    .deleteFrom("upload_part")
    .where("touched_at_ms", "<", clock.now() - maxIdleMs)
    .execute();
  await database
    .deleteFrom("upload_chunk")
    .where("created_at_ms", "<", clock.now() - minStrayAgeMs)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("attachment")
            .select("attachment.id")
            .whereRef("attachment.realm_id", "=", "upload_chunk.realm_id")
            .whereRef("attachment.stored_as", "=", "upload_chunk.stored_as"),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("upload_part")
            .select("upload_part.id")
            .whereRef("upload_part.realm_id", "=", "upload_chunk.realm_id")
            .whereRef("upload_part.stored_as", "=", "upload_chunk.stored_as"),
        ),
      ),
    )
    .execute();
}
