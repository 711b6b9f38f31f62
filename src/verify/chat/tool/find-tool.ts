import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CouldNotRunError } from "../../could-not-run-error.js";

/** A program that is run but not depended on. */
export interface WantedTool {
  /** What it is needed for, as the beginning of a sentence: `The cases of the contract need Dredd`. */
  readonly need: string;
  /** Its script, such as `dredd/bin/dredd`. */
  readonly script: string;
  /** What to install, such as `dredd@14.1.0`. */
  readonly install: string;
}

/**
 * Finds the script of a tool: in what is installed where the process runs, else beside this package. Throws a `CouldNotRunError` that
 * says how to install it when it is in neither place.
 */
export function findTool({ need, script, install }: WantedTool, folder: string = process.cwd()): string {
  for (const from of [pathToFileURL(join(folder, "package.json")), import.meta.url]) {
    try {
      return createRequire(from).resolve(script);
    } catch {
      // Not here.
    }
  }
  throw new CouldNotRunError(`${need}. Install it with: npm install --save-dev ${install}`);
}
