import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Finds the hook file and the modules to load before it: none in the built package, the TypeScript loader in a checkout. */
export function findHooks(): { readonly hooks: string; readonly imports: readonly string[] } {
  const isSource = import.meta.url.endsWith(".ts");
  const hooks = fileURLToPath(new URL(`dredd-hooks.${isSource ? "cts" : "cjs"}`, import.meta.url));
  return { hooks, imports: isSource ? [pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href] : [] };
}
