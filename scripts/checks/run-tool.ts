import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { CheckResult } from "./project-check.js";

/** The root of the checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs a JavaScript file of an installed package, such as `typescript-7/bin/tsc`, in the root of the checkout. */
export async function runTool(file: string, args: readonly string[]): Promise<CheckResult> {
  // A path, because a package does not have to export the file that starts it.
  const path = `${root}node_modules/${file}`;
  try {
    await promisify(execFile)(process.execPath, [path, ...args], { cwd: root, maxBuffer: 1 << 26 });
    return { ok: true };
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as { stdout?: string; stderr?: string; message: string };
    return { ok: false, output: `${stdout}${stderr}` || message };
  }
}
