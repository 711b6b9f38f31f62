import { opendir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { type Clock, systemClock } from "../clock.js";
import type { Services } from "../services.js";
import { isPostgres } from "../storage/database.js";
import { createPartRecords, creatorOf, finishPart } from "./parts.js";
import { maxIdleMs, minStrayAgeMs, removeStaleChunks } from "./stale-chunks.js";
import { ifMissing, type UploadFolder } from "./upload-folder.js";
import { isStoredName, realmOfStored } from "./upload-store.js";

/** Options for settling uploads. */
export interface SettleUploadsOptions {
  /** Called if an upload cannot be finished. It is retried when the client resumes it, and at the next start. */
  readonly onFault: (error: unknown) => void;
  /** The clock of file times. Defaults to the system clock. */
  readonly fileClock?: Clock;
}

/**
 * Cleans up an upload folder after the previous server, even if it crashed; other upload stores need no clean-up. Call it before
 * serving requests. First removes stray files, which frees space, then turns complete resumable uploads into attachments.
 */
export async function settleUploads(
  services: Services,
  { onFault, fileClock = systemClock }: SettleUploadsOptions,
): Promise<void> {
  const { uploads } = services;
  if (uploads.kind !== "folder") return;
  const { partsFolder } = uploads;
  await removeStrayFiles(services, uploads, { fileClock, minAgeMs: 0 });
  await removeStaleParts(uploads, fileClock);
  const names = new Set(await readdir(partsFolder));
  const records = createPartRecords(partsFolder);
  for (const name of names) {
    const [id = "", ...extensions] = name.split(".");
    if (creatorOf(id) === undefined) continue;
    const isRecord = extensions.length === 1;
    if (!isRecord && !(name === id && names.has(`${id}.json`))) {
      // An incompletely written record, or bytes of an upload whose creation was never acknowledged.
      await rm(join(partsFolder, name), { force: true }).catch(onFault);
    } else if (isRecord) {
      await finishIfComplete(uploads, id).catch(onFault);
    }
  }

  async function finishIfComplete(folder: UploadFolder, id: string): Promise<void> {
    const record = await records.get(id);
    const bytes = await stat(join(folder.partsFolder, id)).catch(ifMissing);
    if (record !== undefined && bytes?.size === record.size) await finishPart(services, folder, id, record);
  }
}

const day = 24 * 60 * 60;
/** Maximum age of an upload that no message links (Limits, unused upload retention). */
const maxUnusedSeconds = 21 * day;
/** Uploads or files handled before requests get a turn. */
const batch = 200;

/** An upload that has reached the age limit. */
interface AgedUpload {
  readonly id: number;
  readonly stored_as: string;
  readonly created_at_ms: number;
  /** SQLite has 0 and 1. */
  readonly is_unused: boolean | 0 | 1;
}

/** Options for the removal of unused uploads. */
export interface RemoveUnusedUploadsOptions {
  /** Stops the removal early; the next run continues. */
  readonly signal?: AbortSignal;
  /** The clock of file times. Defaults to the system clock, whatever clock the server has. */
  readonly fileClock?: Clock;
}

/**
 * Removes uploads that no message or scheduled message links, three weeks after the upload by the clock of the organization.
 * Also removes files that have had no attachment for a day, and incomplete resumable uploads that have been idle for a week.
 * Yields to requests between batches.
 */
export async function removeUnusedUploads(
  services: Services,
  { signal, fileClock = systemClock }: RemoveUnusedUploadsOptions = {},
): Promise<void> {
  const { database, uploads } = services;
  for (
    let realmId = await realmAfter(services, 0);
    realmId !== undefined;
    realmId = await realmAfter(services, realmId)
  ) {
    let last: AgedUpload | undefined;
    do {
      const old = await agedUploads(services, realmId, last);
      const unused = old.filter(({ is_unused }) => is_unused);
      if (unused.length > 0) {
        const ids = unused.map(({ id }) => id);
        await database.deleteFrom("attachment").where("realm_id", "=", realmId).where("id", "in", ids).execute();
      }
      // A file that cannot be removed now becomes a stray file, which is removed later.
      for (const { stored_as } of unused) await uploads.remove(stored_as).catch(() => {});
      await nextTurn();
      if (signal?.aborted) return;
      last = old.length < batch ? undefined : old.at(-1);
    } while (last !== undefined);
  }
  if (uploads.kind === "database") return removeStaleChunks(services, fileClock);
  await removeStrayFiles(services, uploads, { fileClock, signal });
  await removeStaleParts(uploads, fileClock, signal);
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

/** Options for the removal of stray files. */
export interface RemoveStrayFilesOptions {
  readonly fileClock: Clock;
  /** Minimum age of removed files. Defaults to a day; it can be 0 while no requests are served. */
  readonly minAgeMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Removes files without an attachment. A server leaves them if it crashes between storing a file and recording it, or between
 * deleting an attachment and its file.
 */
async function removeStrayFiles(
  services: Services,
  folder: UploadFolder,
  options: RemoveStrayFilesOptions,
): Promise<void> {
  let names: string[] = [];
  for await (const { name } of await opendir(folder.filesFolder)) {
    if (options.signal?.aborted) return;
    if (isStoredName(name) && names.push(name) >= batch) {
      await removeStraysAmong(services, folder, options, names);
      names = [];
    }
  }
  await removeStraysAmong(services, folder, options, names);
}

async function removeStraysAmong(
  { database }: Services,
  uploads: UploadFolder,
  { fileClock, minAgeMs = minStrayAgeMs }: RemoveStrayFilesOptions,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const attachment = await database
      .selectFrom("attachment")
      .select("id")
      .where("realm_id", "=", realmOfStored(name))
      .where("stored_as", "=", name)
      .executeTakeFirst();
    if (attachment !== undefined) continue;
    const stats = await stat(join(uploads.filesFolder, name)).catch(() => undefined);
    // ctime includes the move into the folder.
    if (stats?.isFile() && fileClock.now() - stats.ctimeMs >= minAgeMs) await uploads.remove(name).catch(() => {});
  }
}

/** Removes incomplete resumable uploads that have been idle for a week. */
async function removeStaleParts(
  { partsFolder }: Pick<UploadFolder, "partsFolder">,
  fileClock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  // A resumable upload has two files, bytes and record, which are removed together.
  const parts = new Map<string, string[]>();
  for (const name of await readdir(partsFolder)) {
    const part = name.split(".", 1)[0] ?? "";
    const files = parts.get(part);
    if (files === undefined) parts.set(part, [name]);
    else files.push(name);
  }
  for (const files of parts.values()) {
    if (signal?.aborted) return;
    const touched = await Promise.all(files.map((name) => lastTouched(join(partsFolder, name))));
    if (fileClock.now() - Math.max(...touched) <= maxIdleMs) continue;
    for (const name of files) await rm(join(partsFolder, name), { force: true }).catch(() => {});
  }
}

/** When a file was last changed, in milliseconds since 1970; 0 if it is gone. */
async function lastTouched(file: string): Promise<number> {
  const stats = await stat(file).catch(() => undefined);
  return stats?.isFile() ? stats.mtimeMs : 0;
}
