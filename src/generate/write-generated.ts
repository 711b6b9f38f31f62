import { rmdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { UsageError } from "../base/usage-error.js";
import { isTaken, requireNoLink, writeOwn } from "../base/write-own.js";
import { type Files, readFiles } from "./compare-files.js";

/** What marks a file as one that `accord generate` may replace. */
export const note = "Written by `accord generate`. Not to be edited.";

const marks = [`# ${note}`, `// ${note}`];

/** The files below a folder that `accord generate` wrote. */
export async function readGenerated(folder: string): Promise<Map<string, Buffer>> {
  const isMarked = (content: Buffer) => marks.some((mark) => content.toString("latin1", 0, mark.length) === mark);
  return new Map([...(await readFiles(folder))].filter(([, content]) => isMarked(content)));
}

/**
 * Writes generated files into a folder below `root`, and removes those that it wrote earlier and that have no source any more. Other files
 * stay. Throws a `UsageError`, and writes nothing, if Accord did not write a file, or the folder is reached through a link.
 */
export async function writeGenerated(root: string, folder: string, files: Files): Promise<void> {
  requireNoLink(root, folder);
  const earlier = await readGenerated(folder);
  for (const path of files.keys()) {
    const file = join(folder, path);
    requireNoLink(root, file);
    if (isTaken(file) && !earlier.has(path))
      throw new UsageError(`${file} was not written by accord generate: move it, or give the contract another name.`);
  }
  for (const path of earlier.keys()) {
    rmSync(join(folder, path));
    if (!files.has(path)) removeEmpty(folder, dirname(join(folder, path)));
  }
  for (const [path, content] of files) writeOwn(root, join(folder, path), content);
}

/** Removes the empty folders from one up to another. */
function removeEmpty(top: string, folder: string): void {
  try {
    for (let at = folder; relative(top, at) !== ""; at = dirname(at)) rmdirSync(at);
  } catch {
    // It has other files.
  }
}
