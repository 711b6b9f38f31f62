import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../clock.js";
import type { UploadFolder } from "./upload-folder.js";

/** How long an upload that is not complete may lie without another byte. */
const partMs = 7 * 24 * 60 * 60 * 1000;

/** Removes the resumable uploads that nobody has gone on with for a week. */
export async function removeStaleParts(
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
