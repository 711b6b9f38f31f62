import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { inTransaction, type Services } from "../services.js";
import { isPostgres } from "../storage/database.js";
import { deleteAttachments } from "./attachments.js";
import { removeUploads } from "./upload-store.js";

const day = 24 * 60 * 60;
/** Maximum age of an upload that no message links (Limits, unused upload retention). */
const maxUnusedSeconds = 21 * day;
/** Maximum time that an incomplete upload may be idle. */
const maxIdleMs = 7 * day * 1000;
/** Uploads handled before requests get a turn. */
const batch = 200;

/** An upload that has reached the age limit. */
interface AgedUpload {
  readonly id: number;
  readonly stored_as: string;
  readonly created_at_ms: number;
  /** SQLite has 0 and 1. */
  readonly is_unused: boolean | 0 | 1;
}

/**
 * Removes uploads that no message or scheduled message links, three weeks after the upload by the clock of the organization.
 * Also removes incomplete resumable uploads that have been idle for a week. Yields to requests between batches; stops early if the
 * signal is aborted, and the next run continues.
 */
export async function removeUnusedUploads(services: Services, signal?: AbortSignal): Promise<void> {
  for (
    let realmId = await realmAfter(services, 0);
    realmId !== undefined;
    realmId = await realmAfter(services, realmId)
  ) {
    let last: AgedUpload | undefined;
    do {
      const old = await agedUploads(services, realmId, last);
      const unused = old.filter(({ is_unused }) => is_unused);
      const organization = realmId;
      await inTransaction(services, "write", ({ database }) => deleteAttachments(database, organization, unused));
      await nextTurn();
      if (signal?.aborted) return;
      last = old.length < batch ? undefined : old.at(-1);
    } while (last !== undefined);
  }
  await inTransaction(services, "write", removeIdleParts);
}

/** Removes incomplete resumable uploads that have been idle for a week. */
async function removeIdleParts({ database, clock }: Services): Promise<void> {
  const idle = await database
    .deleteFrom("upload_part")
    .where("touched_at_ms", "<", clock.now() - maxIdleMs)
    .returning(["realm_id", "stored_as"])
    .execute();
  for (const { realm_id, stored_as } of idle) {
    const attachment = await database
      .selectFrom("attachment")
      .select("id")
      .where("realm_id", "=", realm_id)
      .where("stored_as", "=", stored_as)
      .executeTakeFirst();
    if (attachment === undefined) await removeUploads(database, realm_id, [stored_as]);
  }
}

/** The next organization with uploads. */
async function realmAfter({ database }: Services, id: number): Promise<number | undefined> {
  const next = await database
    .selectFrom("attachment")
    .select("realm_id")
    .where("realm_id", ">", id)
    .orderBy("realm_id")
    .limit(1)
    .executeTakeFirst();
  return next?.realm_id;
}

/** Uploads of an organization that have reached the age limit, oldest first, after `last`. */
async function agedUploads(
  { database, clock }: Services,
  realmId: number,
  last: AgedUpload | undefined,
): Promise<AgedUpload[]> {
  const now = Math.floor(clock.now() / 1000);
  const position = isPostgres(database)
    ? sql`position(attachment.path_id in scheduled_message.content)`
    : sql`instr(scheduled_message.content, attachment.path_id)`;
  const { rows } = await sql<AgedUpload>`
    select id, stored_as, created_at_ms,
      not exists (
        select 1 from attachment_message where realm_id = ${realmId} and attachment_id = attachment.id)
      and not exists (
        select 1 from scheduled_message where scheduled_message.realm_id = ${realmId} and ${position} > 0
      ) as is_unused
    from attachment
    where realm_id = ${realmId} and (created_at_ms, id) > (${last?.created_at_ms ?? -1}, ${last?.id ?? 0})
      and created_at_ms <= ((select clock_offset_seconds from realm where id = ${realmId}) + ${now - maxUnusedSeconds}) * 1000
    order by created_at_ms, id
    limit ${batch}`.execute(database);
  return rows;
}
