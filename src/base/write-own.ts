import { lstatSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { UsageError } from "./usage-error.js";

/** Whether something is at a path, even a link that leads nowhere. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/**
 * Writes a new file below a folder, with the folders that it needs. Throws a `UsageError` if one of these is a link, which may lead to
 * somebody's files, and an error if the file exists.
 */
export function writeOwn(root: string, path: string, content: string | Uint8Array): void {
  requireNoLink(root, path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { flag: "wx" });
}

/** Throws a `UsageError` if a path below `root`, or a folder on the way to it, is a link, or if a file stands where such a folder belongs. */
export function requireNoLink(root: string, path: string): void {
  const parts = relative(root, path).split(sep);
  if (parts[0] === "..") return;
  for (const at of parts.keys()) {
    const part = join(root, ...parts.slice(0, at + 1));
    const found = lstatSync(part, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() === true)
      throw new UsageError(`${part} is a link, and Accord writes through none: replace it by a folder or file.`);
    if (found?.isDirectory() === false && at < parts.length - 1) throw new UsageError(`${part} is no folder: move it.`);
  }
}
