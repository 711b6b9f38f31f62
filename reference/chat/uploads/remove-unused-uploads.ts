import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { type Clock, systemClock } from "../clock.js";
import type { Services } from "../services.js";
import { removeStaleParts } from "./remove-stale-parts.js";
import { removeStrayFiles } from "./remove-stray-files.js";

const day = 24 * 60 * 60;
/** How long an upload may stay without a message that links it (Limits, unused upload retention). */
const unusedSeconds = 21 * day;
/** How many uploads are looked at without a break for requests. */
const batch = 200;

type Needed = Pick<Services, "database" | "clock" | "uploads">;

/** An upload that is old enough. */
interface Old {
  readonly id: number;
  readonly stored_as: string;
  readonly created_at_ms: number;
  readonly is_unused: 0 | 1;
}

/** How uploads are removed. */
export interface RemoveUnusedUploadsOptions {
  /** Stops early when it is aborted; the rest is left to the next time. */
  readonly signal?: AbortSignal;
  /** The clock that the times of files are from. Defaults to that of the machine, whatever clock the server has. */
  readonly fileClock?: Clock;
}

/**
 * Removes the uploads that no message and no scheduled message links, three weeks after the upload by the clock of the organization;
 * and files that have been no upload for a day, and resumable uploads that nobody has gone on with for a week. Requests are served in
 * between.
 */
export async function removeUnusedUploads(
  services: Needed,
  { signal, fileClock = systemClock }: RemoveUnusedUploadsOptions = {},
): Promise<void> {
  const { database } = services;
  for (let realmId = realmAfter(services, 0); realmId !== undefined; realmId = realmAfter(services, realmId)) {
    let last: Old | undefined;
    do {
      const old = oldUploads(services, realmId, last);
      const unused = old.filter(({ is_unused }) => is_unused === 1);
      database.transaction(() => {
        for (const { id } of unused) database.run(database.sql.deleteFrom("attachment").where("id", "=", id));
      });
      await database.settled();
      // A file that cannot be removed now is stray, and removed later.
      for (const { stored_as } of unused) await services.uploads.remove(stored_as).catch(() => {});
      await nextTurn();
      if (signal?.aborted) return;
      last = old.length < batch ? undefined : old.at(-1);
    } while (last !== undefined);
  }
  await removeStrayFiles(services, { fileClock, signal });
  await removeStaleParts(services.uploads, fileClock, signal);
}

/** The next organization that has uploads. */
function realmAfter({ database }: Needed, id: number): number | undefined {
  return database.first(
    database.sql.selectFrom("attachment").select("realm_id").where("realm_id", ">", id).orderBy("realm_id").limit(1),
  )?.realm_id;
}

/** Uploads of an organization that are old enough to be removed, the oldest first, those after `last`. */
function oldUploads({ database, clock }: Needed, realmId: number, last: Old | undefined): Old[] {
  const now = Math.floor(clock.now() / 1000);
  return database.all(sql<Old>`
    select id, stored_as, created_at_ms,
      not exists (select 1 from attachment_message where attachment_id = attachment.id)
      and not exists (
        select 1 from scheduled_message
        where scheduled_message.realm_id = ${realmId} and instr(scheduled_message.content, attachment.path_id) > 0
      ) as is_unused
    from attachment
    where realm_id = ${realmId} and (created_at_ms, id) > (${last?.created_at_ms ?? -1}, ${last?.id ?? 0})
      and created_at_ms <= ((select clock_offset_seconds from realm where id = ${realmId}) + ${now - unusedSeconds}) * 1000
    order by created_at_ms, id
    limit ${batch}`);
}
