import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { compareFiles, readFiles } from "../../src/generate/compare-files.js";
import { generatedPaths } from "./generated-paths.js";
import { hashSources, isKnownResult, rememberResult } from "./generation-cache.js";

/** Lists the generated files below `root` that are out of date, missing or without a source. */
export async function findDrift(root: string): Promise<string[]> {
  if (await isKnownResult(root)) return [];
  const sources = await hashSources(root);
  // Loading the generators takes longer than recognizing a known result.
  const { withGenerated } = await import("./all.js");
  const [want, have] = [await withGenerated(readGenerated), await readGenerated(root)];
  const drift = compareFiles(want, have);
  if (drift.length === 0) await rememberResult(root, sources);
  return drift;
}

async function readGenerated(root: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const path of generatedPaths) {
    if (path.startsWith("generated/"))
      for (const [name, content] of await readFiles(join(root, path))) files.set(`${path}/${name}`, content);
    else {
      const content = await readFile(join(root, path)).catch(() => undefined);
      if (content !== undefined) files.set(path, content);
    }
  }
  return files;
}
