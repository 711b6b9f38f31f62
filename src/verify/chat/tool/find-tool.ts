import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CouldNotRunError } from "../../could-not-run-error.js";

/** An optional program. */
export interface OptionalTool {
  /** States why the tool is needed and that it is missing, as a sentence without its full stop. */
  readonly need: string;
  /** The script to run, such as `dredd/bin/dredd`. */
  readonly script: string;
  /** The package to install, such as `dredd@14.1.0`. */
  readonly install: string;
}

/**
 * Finds the script of a tool, first among the packages of the working directory, then beside this package. Throws a `CouldNotRunError`
 * that says how to install a missing tool.
 */
export function findTool({ need, script, install }: OptionalTool, folder: string = process.cwd()): string {
  for (const from of [pathToFileURL(join(folder, "package.json")), import.meta.url]) {
    try {
      return createRequire(from).resolve(script);
    } catch {
      // Try the next place.
    }
  }
  throw new CouldNotRunError(`${need}. Install it with: npm install --save-dev ${install}`);
}
