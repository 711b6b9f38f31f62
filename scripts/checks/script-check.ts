import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ProjectCheck } from "./project-check.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A longer output has details that belong to the command itself; its last line is the summary. */
const maxDetailLines = 4;

/** Creates a check that runs one of our scripts in a separate process. The detail is the output of the script. */
export function scriptCheck(name: string, script: string, ...args: readonly string[]): ProjectCheck {
  return {
    name,
    run: async () => {
      try {
        const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", script, ...args], {
          cwd: root,
          maxBuffer: 1 << 26,
        });
        const lines = stdout.trim().split("\n");
        return { ok: true, detail: lines.slice(lines.length > maxDetailLines ? -1 : 0).join("; ") };
      } catch (error) {
        const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
        return { ok: false, output: `${stdout}${stderr}` };
      }
    },
  };
}
