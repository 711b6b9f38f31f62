import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../.ci/install", import.meta.url));

/**
 * The programs in `.ci/install` that this machine lacks. `ACCORD_MISSING` keeps them for the processes that this one starts, and hides
 * programs if it is set before.
 */
export function missingPrograms(): string[] {
  process.env.ACCORD_MISSING ??= execFileSync("sh", [script, "--missing"], { encoding: "utf8" });
  return process.env.ACCORD_MISSING.split(/\s+/).filter(Boolean);
}
