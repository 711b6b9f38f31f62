import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { generatedPaths } from "./generated-paths.js";
import { hashSources, isKnownResult, rememberResult } from "./generation-cache.js";

/** Lists the generated files below `root` that are out of date, missing or without a source. */
export async function findDrift(root: string): Promise<string[]> {
  if (await isKnownResult(root)) return [];
  const sources = await hashSources(root);
  // Loading the generators takes longer than recognizing a known result.
  const { withGenerated } = await import("./all.js");
  const [want, have] = [await withGenerated(readGenerated), await readGenerated(root)];
  const drift: string[] = [];
  for (const name of [...new Set([...want.keys(), ...have.keys()])].sort()) {
    const [wanted, found] = [want.get(name), have.get(name)];
    if (found === undefined) drift.push(`${name} is missing`);
    else if (wanted === undefined) drift.push(`${name} has no source`);
    else if (!wanted.equals(found)) drift.push(`${name} is out of date`);
  }
  if (drift.length === 0) await rememberResult(root, sources);
  return drift;
}

async function readGenerated(root: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const add = async (path: string) => files.set(relative(root, path).replaceAll("\\", "/"), await readFile(path));
  for (const path of generatedPaths) {
    const full = join(root, path);
    const entries = await readdir(full, { recursive: true, withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (entries === "ENOTDIR") await add(full);
    else if (Array.isArray(entries))
      for (const entry of entries) if (entry.isFile()) await add(join(entry.parentPath, entry.name));
  }
  return files;
}
