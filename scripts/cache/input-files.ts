import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Metafile } from "esbuild";

/** What the result of a command depends on, relative to the root of the project. */
export interface Inputs {
  /** Files and folders. A file that does not exist is an input too: its creation is a change. */
  readonly paths: readonly string[];
  /** Modules, each with every module of the project that it imports. */
  readonly modules?: readonly string[];
}

/** Reads every input at most once. */
export interface InputReader {
  /** Hashes the names and contents of inputs. */
  readonly hash: (inputs: Inputs) => Promise<string>;
  /** Lists the files of a folder with a hash of each name and content. */
  readonly hashEach: (folder: string) => ReadonlyMap<string, string>;
}

/** What every command depends on: the installed packages, and what Node and tsx read before they run a module. */
const always = ["package.json", "package-lock.json", "node_modules/.package-lock.json", "tsconfig.json"];

/** Folders of the project that hold no sources. */
const skipped = ["dist", "dist-site", ".tmp"];

/** Creates a reader of the current files below `root`. */
export function createInputReader(root: string): InputReader {
  const hashes = new Map<string, string>();
  const hashFile = (path: string) => {
    const hash = hashes.get(path) ?? hashOf([path, readIfExists(join(root, path)) ?? "missing"]);
    hashes.set(path, hash);
    return hash;
  };
  const imported = new Map<string, Promise<string[]>>();
  const importedBy = (modules: readonly string[]) => {
    const key = modules.join();
    const list = imported.get(key) ?? readModules(root, modules).then(Object.keys);
    imported.set(key, list);
    return list;
  };
  return {
    hash: async ({ paths, modules = [] }) => {
      const files = [...always, ...paths].flatMap((path) => listFiles(root, path));
      const all = [...new Set([...files, ...(modules.length === 0 ? [] : await importedBy(modules))])].sort();
      return hashOf([process.version, process.platform, ...all.map(hashFile)]);
    },
    hashEach: (folder) => new Map(listFiles(root, folder).map((path) => [path, hashFile(path)])),
  };
}

function hashOf(parts: readonly (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}\0`).update(part);
  return hash.digest("hex");
}

function readIfExists(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Lists the files below a folder, without those of packages, of Git and of builds. A path that is not a folder is returned unchanged. */
function listFiles(root: string, path: string): string[] {
  try {
    return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
      const inside = path === "." ? entry.name : `${path}/${entry.name}`;
      if (!entry.isDirectory()) return [inside];
      return entry.name === ".git" || entry.name === "node_modules" || skipped.includes(inside)
        ? []
        : listFiles(root, inside);
    });
  } catch {
    return [path];
  }
}

/** Reads modules and all that they import, except packages: each file with its imports. */
export async function readModules(root: string, modules: readonly string[]): Promise<Metafile["inputs"]> {
  const { build } = await import("esbuild");
  const { metafile } = await build({
    entryPoints: [...modules],
    absWorkingDir: root,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outdir: "unused",
    metafile: true,
    write: false,
    logLevel: "silent",
  });
  return metafile.inputs;
}
