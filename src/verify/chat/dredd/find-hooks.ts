import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The files that run cases in a process of their own. */
export interface DreddFiles {
  /** The hook file of Dredd. */
  readonly hooks: string;
  /** The script that the process runs. */
  readonly child: string;
  /** The modules to load before these. */
  readonly imports: readonly string[];
}

/** Finds these files. Only a checkout needs the TypeScript loader. */
export function findHooks(): DreddFiles {
  const isSource = import.meta.url.endsWith(".ts");
  const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  return {
    hooks: file(`dredd-hooks.${isSource ? "cts" : "cjs"}`),
    child: file(`dredd-child.${isSource ? "ts" : "js"}`),
    imports: isSource ? [pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href] : [],
  };
}
