import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseJson } from "../../src/parse-json.js";
import { generatedPaths } from "./generated-paths.js";

/** Everything that generation reads, below the root of the project. `package-lock.json` stands for the installed packages. */
const inputPaths = [
  "openapi",
  "proto",
  "scripts",
  "src",
  "package-lock.json",
  "redocly.yaml",
  "buf.yaml",
  "buf.gen.yaml",
] as const;

/** How many results are remembered, so that changing branches stays fast. */
const maxEntries = 50;

/**
 * Whether the generated files below `root` are what an earlier generation made from the same inputs. Results are remembered by content,
 * so copies of the project that share `node_modules` cannot mislead each other.
 */
export async function isKnownResult(root: string): Promise<boolean> {
  const [entries, current] = await Promise.all([readEntries(root), hashProject(root)]);
  return entries.includes(current);
}

/** Remembers that the generated files below `root` are the result of the current inputs. */
export async function rememberResult(root: string): Promise<void> {
  const [entries, current] = await Promise.all([readEntries(root), hashProject(root)]);
  const kept = [current, ...entries.filter((entry) => entry !== current)].slice(0, maxEntries);
  const file = cacheFile(root);
  // Another process may read it at any time.
  const written = `${file}.${process.pid}`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(written, JSON.stringify(kept));
  await rename(written, file);
}

function cacheFile(root: string): string {
  return join(root, "node_modules/.cache/accord/generated.json");
}

/** A missing or damaged file has no entries. */
async function readEntries(root: string): Promise<readonly unknown[]> {
  const entries = parseJson(await readFile(cacheFile(root), "utf8").catch(() => ""));
  return Array.isArray(entries) ? entries : [];
}

/** A hash of the names and contents of all inputs and generated files. */
async function hashProject(root: string): Promise<string> {
  const hash = createHash("sha256");
  const files = await Promise.all([...inputPaths, ...generatedPaths].map((path) => listFiles(root, path)));
  for (const path of files.flat()) {
    const content = await readFile(join(root, path)).catch(() => undefined);
    hash.update(`${path}\0${content?.length}\0`).update(content ?? "");
  }
  return hash.digest("hex");
}

/** Lists the files of a folder in order. A path that is not a folder is returned unchanged. */
async function listFiles(root: string, path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .sort();
}
