import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { loadWithin } from "./loop-watch.js";
import { UsageError } from "./usage-error.js";

const loaded = new Map<string, Promise<unknown[]>>();

/** The exports of the modules in a folder, with the entries of lists. Reads a folder once. Rejects with a `UsageError` if one cannot be loaded. */
export function loadExports(folder: URL | undefined): Promise<unknown[]> {
  if (folder === undefined) return Promise.resolve([]);
  const loading = loaded.get(folder.href) ?? importAll(folder);
  loaded.set(folder.href, loading);
  return loading;
}

async function importAll(folder: URL): Promise<unknown[]> {
  const files = (await readdir(folder)).filter((name) => /(?<!\.d)\.[cm]?[jt]s$/.test(name)).sort();
  const modules: object[] = await loadWithin(() =>
    Promise.all(files.map((name) => import(new URL(name, folder).href))),
  ).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The checks in ${fileURLToPath(folder)} cannot be loaded: ${reason}`);
  });
  return modules.flatMap((module) => Object.values(module)).flat();
}
