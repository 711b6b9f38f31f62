import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { findTool } from "../tool/find-tool.js";

/** The script of Dredd. Throws a `CouldNotRunError` that says how to install it when it is missing. */
export function findDredd(folder?: string): string {
  const need = "The cases of the contract are run by Dredd, which is not installed";
  return findTool({ need, script: "dredd/bin/dredd", install: "dredd@14.1.0" }, folder);
}

/** Our hooks, and the modules that have to be loaded for them: none in the built package, the loader of TypeScript in a checkout. */
export function findHooks(): { readonly hooks: string; readonly imports: readonly string[] } {
  const isSource = import.meta.url.endsWith(".ts");
  const hooks = fileURLToPath(new URL(`dredd-hooks.${isSource ? "cts" : "cjs"}`, import.meta.url));
  return { hooks, imports: isSource ? [pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href] : [] };
}
