import { opendir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { type Clock, systemClock } from "../clock.js";
import type { Services } from "../services.js";
import { createPartRecords, creatorOf, finishPart } from "./parts.js";
import { ifMissing, isStoredName, type UploadFolder } from "./upload-folder.js";

/** Options for settling uploads. */
export interface SettleUploadsOptions {
  /** Called if an upload cannot be finished. It is retried when the client resumes it, and at the next start. */
  readonly onFault: (error: unknown) => void;
  /** The clock of file times. Defaults to the system clock. */
  readonly fileClock?: Clock;
}

/**
 * Cleans up the upload folder after the previous server, even if it crashed. Call it before serving requests. First removes
 * stray files, which frees space, then turns complete resumable uploads into attachments.
 */
export async function settleUploads(
  services: Pick<Services, "database" | "clock" | "uploads">,
  { onFault, fileClock = systemClock }: SettleUploadsOptions,
): Promise<void> {
  const { partsFolder } = services.uploads;
  await removeStrayFiles(services, { fileClock, minAgeMs: 0 });
  await removeStaleParts(services.uploads, fileClock);
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
      await finishIfComplete(id).catch(onFault);
    }
  }

  async function finishIfComplete(id: string): Promise<void> {
    const record = await records.get(id);
    const bytes = await stat(join(partsFolder, id)).catch(ifMissing);
    if (record !== undefined && bytes?.size === record.size) await finishPart(services, id, record);
  }
}

const day = 24 * 60 * 60;
/** Maximum age of an upload that no message links (Limits, unused upload retention). */
const maxUnusedSeconds = 21 * day;
/** Uploads or files handled before requests get a turn. */
const batch = 200;

type Needed = Pick<Services, "database" | "clock" | "uploads">;

/** An upload that has reached the age limit. */
interface AgedUpload {
  readonly id: number;
  readonly stored_as: string;
  readonly created_at_ms: number;
  readonly is_unused: 0 | 1;
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
  services: Needed,
  { signal, fileClock = systemClock }: RemoveUnusedUploadsOptions = {},
): Promise<void> {
  const { database } = services;
  for (let realmId = realmAfter(services, 0); realmId !== undefined; realmId = realmAfter(services, realmId)) {
    let last: AgedUpload | undefined;
    do {
      const old = agedUploads(services, realmId, last);
      const unused = old.filter(({ is_unused }) => is_unused === 1);
      database.transaction(() => {
        for (const { id } of unused) database.run(database.sql.deleteFrom("attachment").where("id", "=", id));
      });
      await database.settled();
      // A file that cannot be removed now becomes a stray file, which is removed later.
      for (const { stored_as } of unused) await services.uploads.remove(stored_as).catch(() => {});
      await nextTurn();
      if (signal?.aborted) return;
      last = old.length < batch ? undefined : old.at(-1);
    } while (last !== undefined);
  }
  await removeStrayFiles(services, { fileClock, signal });
  await removeStaleParts(services.uploads, fileClock, signal);
}

/** The next organization with uploads. */
function realmAfter({ database }: Needed, id: number): number | undefined {
  return database.first(
    database.sql.selectFrom("attachment").select("realm_id").where("realm_id", ">", id).orderBy("realm_id").limit(1),
  )?.realm_id;
}

/** Uploads of an organization that have reached the age limit, oldest first, after `last`. */
function agedUploads({ database, clock }: Needed, realmId: number, last: AgedUpload | undefined): AgedUpload[] {
  const now = Math.floor(clock.now() / 1000);
  return database.all(sql<AgedUpload>`
    select id, stored_as, created_at_ms,
      not exists (select 1 from attachment_message where attachment_id = attachment.id)
      and not exists (
        select 1 from scheduled_message
        where scheduled_message.realm_id = ${realmId} and instr(scheduled_message.content, attachment.path_id) > 0
      ) as is_unused
    from attachment
    where realm_id = ${realmId} and (created_at_ms, id) > (${last?.created_at_ms ?? -1}, ${last?.id ?? 0})
      and created_at_ms <= ((select clock_offset_seconds from realm where id = ${realmId}) + ${now - maxUnusedSeconds}) * 1000
    order by created_at_ms, id
    limit ${batch}`);
}

/** Minimum age of stray files, because a file is stored shortly before its attachment. */
const minStrayAgeMs = 24 * 60 * 60 * 1000;

/** Options for the removal of stray files. */
export interface RemoveStrayFilesOptions {
  readonly fileClock: Clock;
  /** Minimum age of removed files. Defaults to a day; it can be 0 while no requests are served. */
  readonly minAgeMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Removes files without an attachment. A crash leaves them between storing a file and recording it, or between deleting an
 * attachment and its file.
 */
async function removeStrayFiles(services: Needed, options: RemoveStrayFilesOptions): Promise<void> {
  let names: string[] = [];
  for await (const { name } of await opendir(services.uploads.filesFolder)) {
    if (options.signal?.aborted) return;
    if (isStoredName(name) && names.push(name) >= batch) {
      await removeStraysAmong(services, options, names);
      names = [];
    }
  }
  await removeStraysAmong(services, options, names);
}

async function removeStraysAmong(
  { database, uploads }: Needed,
  { fileClock, minAgeMs = minStrayAgeMs }: RemoveStrayFilesOptions,
  names: readonly string[],
): Promise<void> {
  const strays = database.all(sql<{ name: string }>`
    select value as name from json_each(${JSON.stringify(names)})
    where not exists (select 1 from attachment where stored_as = value)`);
  for (const { name } of strays) {
    const stats = await stat(join(uploads.filesFolder, name)).catch(() => undefined);
    // ctime includes the move into the folder.
    if (stats?.isFile() && fileClock.now() - stats.ctimeMs >= minAgeMs) await uploads.remove(name).catch(() => {});
  }
}

/** Maximum time that an incomplete upload may be idle. */
const maxIdleMs = 7 * 24 * 60 * 60 * 1000;

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
