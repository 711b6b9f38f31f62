import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, systemClock } from "../clock.js";
import type { Services } from "../services.js";
import { finishPart } from "./finish-part.js";
import { createPartRecords, creatorOf } from "./part-records.js";
import { removeStaleParts } from "./remove-stale-parts.js";
import { removeStrayFiles } from "./remove-stray-files.js";
import { ifMissing } from "./upload-folder.js";

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
