import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Clock } from "../clock.js";
import type { Services } from "../services.js";
import { isStoredName } from "./upload-folder.js";

/** How long a file may lie without being an upload. One that was stored just now is none yet. */
const strayMs = 24 * 60 * 60 * 1000;
/** How many files are looked up at once. */
const batch = 200;

type Needed = Pick<Services, "database" | "uploads">;

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
export async function removeStrayFiles(services: Needed, options: RemoveStrayFilesOptions): Promise<void> {
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
