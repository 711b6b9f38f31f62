import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import { MissingPeerError } from "./missing-peer-error.js";

function findCli(): string {
  try {
    return createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");
  } catch {
    throw new MissingPeerError("This command", "@redocly/cli");
  }
}

/** The result of a run of Redocly. */
export interface RedoclyRun {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the Redocly CLI in the working directory, without telemetry and update checks. Findings of `lint` and `diff` give `ok: false` and do
 * not throw. Rejects with a `MissingPeerError` if it is not installed.
 */
export async function runRedocly(...args: string[]): Promise<RedoclyRun> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", FORCE_COLOR: "0" };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [findCli(), ...args], {
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

/** The messages of the CLI, without those about Node releases and valid files. */
function findings(stderr: string): string {
  const noise = /^\s*[║╔╚]|^validating |^bundling |: validated in |^\s*$/;
  return stderr
    .split("\n")
    .filter((line) => !noise.test(line))
    .join("\n");
}
