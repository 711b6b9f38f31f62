import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cli = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

/** How a run of Redocly ended. */
export interface RedoclyRun {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the Redocly CLI in the root of the checkout, without telemetry and without asking for updates. Findings of `lint` and
 * `diff` give `ok: false`; nothing is thrown for them.
 */
export async function runRedocly(...args: string[]): Promise<RedoclyRun> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };
  // The plugin is TypeScript.
  const command = ["--import", "tsx", cli, ...args];
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, {
      cwd: root,
      env,
      maxBuffer: 1 << 26,
    });
    return { ok: true, stdout, stderr: findings(stderr) };
  } catch (error) {
    const { stdout = "", stderr = "", code } = error as { stdout?: string; stderr?: string; code?: unknown };
    if (typeof code !== "number") throw error;
    return { ok: false, stdout, stderr: findings(stderr) };
  }
}

/** The notes of the CLI without those on Node releases and on files that are all right. */
function findings(stderr: string): string {
  const noise = /^\s*[║╔╚]|^validating |^bundling |: validated in |^\s*$/;
  return stderr
    .split("\n")
    .filter((line) => !noise.test(line))
    .join("\n");
}
