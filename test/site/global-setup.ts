import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isUpToDate } from "../../site/is-up-to-date.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Builds the site once for all tests of this folder, unless it is newer than its sources. In a process of its own, because Vitest loads no
 * TypeScript for modules that the site imports by a computed name, such as checks in code.
 */
export async function setup(): Promise<void> {
  if (!isUpToDate()) await promisify(execFile)(process.execPath, ["--import", "tsx", "scripts/docs.ts"], { cwd: root });
}
