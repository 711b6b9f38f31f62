import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** Contents of files by path, with slashes. */
export type Files = ReadonlyMap<string, string | Buffer>;

/** Reads the files below a folder, named relative to it. A folder that does not exist has none. */
export async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) files.set(relative(folder, path).replaceAll("\\", "/"), await readFile(path));
  }
  return files;
}

/** Lists the files that are out of date, missing or without a source, one in a sentence. */
export function compareFiles(want: Files, have: Files): string[] {
  return [...new Set([...want.keys(), ...have.keys()])].sort().flatMap((name) => {
    const [wanted, found] = [want.get(name), have.get(name)];
    if (found === undefined) return [`${name} is missing`];
    if (wanted === undefined) return [`${name} has no source`];
    return Buffer.from(wanted).equals(Buffer.from(found)) ? [] : [`${name} is out of date`];
  });
}
