import { opendir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { type Clock, systemClock } from "../clock.js";
import type { Services } from "../services.js";
import { createPartRecords, creatorOf, finishPart } from "./parts.js";
import { ifMissing, isStoredName, type UploadFolder } from "./upload-folder.js";

/** How uploads are settled. */
export interface SettleUploadsOptions {
  /** Told of an upload that could not be finished. It is tried again when its client comes back, and at the next start. */
  readonly onFault: (error: unknown) => void;
  /** The clock that the times of files are from. Defaults to that of the machine. */
  readonly fileClock?: Clock;
}

/**
 * Puts the folder of uploads in order after the last server, however that ended: to be called before requests are served. First
 * removes what is no upload, which makes room; then makes complete resumable uploads attachments.
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
      // A record that was not written to its end, or bytes that nobody was told of.
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

/** How long a file may lie without being an upload. One that was stored just now is none yet. */
const strayMs = 24 * 60 * 60 * 1000;

/** Which files are removed. */
export interface RemoveStrayFilesOptions {
  readonly fileClock: Clock;
  /** How long a file is spared. Defaults to a day; nothing needs to be spared while no request is served. */
  readonly minAgeMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Removes the files that no upload has: a crash leaves them when a file was stored and not recorded, or an upload was deleted and its
 * file was not.
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
  { fileClock, minAgeMs = strayMs }: RemoveStrayFilesOptions,
  names: readonly string[],
): Promise<void> {
  const strays = database.all(sql<{ name: string }>`
    select value as name from json_each(${JSON.stringify(names)})
    where not exists (select 1 from attachment where stored_as = value)`);
  for (const { name } of strays) {
    const stats = await stat(join(uploads.filesFolder, name)).catch(() => undefined);
    // The time of the last change includes the move into the folder.
    if (stats?.isFile() && fileClock.now() - stats.ctimeMs >= minAgeMs) await uploads.remove(name).catch(() => {});
  }
}

/** How long an upload that is not complete may lie without another byte. */
const partMs = 7 * 24 * 60 * 60 * 1000;

/** Removes the resumable uploads that nobody has gone on with for a week. */
async function removeStaleParts(
  { partsFolder }: Pick<UploadFolder, "partsFolder">,
  fileClock: Clock,
  signal?: AbortSignal,
): Promise<void> {
  // The bytes of a resumable upload and what is known about it are two files, which go together.
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
    if (fileClock.now() - Math.max(...touched) <= partMs) continue;
    for (const name of files) await rm(join(partsFolder, name), { force: true }).catch(() => {});
  }
}

/** When a file was last changed, in milliseconds since 1970; 0 for one that is gone. */
async function lastTouched(file: string): Promise<number> {
  const stats = await stat(file).catch(() => undefined);
  return stats?.isFile() ? stats.mtimeMs : 0;
}
