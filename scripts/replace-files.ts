import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Moves the files of a folder into another, and deletes all others there. Each file is replaced at once, so that a process that imports
 * modules from there never misses one.
 */
export function replaceFiles(from: string, to: string): void {
  const files = new Set(filesBelow(from));
  for (const file of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    renameSync(join(from, file), join(to, file));
  }
  for (const file of filesBelow(to)) if (!files.has(file)) rmSync(join(to, file));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));
}
