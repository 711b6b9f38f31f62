import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs a Node program and returns its output, whatever its exit code. The output goes to a file, because some tools exit before they have
 * flushed a pipe.
 */
export function captureOutput(args: readonly string[], cwd = "."): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "accord-output-"));
  const file = join(folder, "output.txt");
  const output = openSync(file, "w");
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return new Promise<string>((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", output, output] });
    child.once("error", reject).once("exit", () => resolve(readFileSync(file, "utf8")));
  }).finally(() => {
    closeSync(output);
    rmSync(folder, { recursive: true });
  });
}
