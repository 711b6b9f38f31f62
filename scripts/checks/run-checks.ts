import { availableParallelism } from "node:os";
import { runAll } from "../../src/verify/run-all.js";
import type { CheckResult, ProjectCheck } from "./project-check.js";

/**
 * Runs checks, as many at a time as there are processors, and prints the result and duration of each in the given order, with the output
 * of a failed check. All checks run, so that one failure does not hide the next. Returns the names of the failed checks.
 */
export async function runChecks(
  checks: readonly ProjectCheck[],
  write: (text: string) => void = (text) => process.stdout.write(text),
): Promise<string[]> {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const results = new Map<ProjectCheck, CheckResult>();
  const lines = new Map<ProjectCheck, string>();
  const remaining = [...checks];
  const printCompleted = () => {
    for (let line = nextLine(); line !== undefined; line = nextLine()) write(line);
  };
  const nextLine = () => {
    const [next] = remaining;
    const line = next && lines.get(next);
    if (line !== undefined) remaining.shift();
    return line;
  };
  await runAll(checks, availableParallelism(), async (check) => {
    const start = performance.now();
    const result = await check.run().catch(failure);
    results.set(check, result);
    const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
    const details = result.ok ? (result.detail ?? "") : "";
    const line = [result.ok ? "ok    " : "FAILED", check.name.padEnd(width), seconds, details].join("  ").trimEnd();
    lines.set(check, result.ok ? `${line}\n` : `${line}\n${result.output.trimEnd()}\n`);
    printCompleted();
  });
  return checks.filter((check) => results.get(check)?.ok === false).map(({ name }) => name);
}

function failure(error: unknown): CheckResult {
  return { ok: false, output: error instanceof Error ? error.message : String(error) };
}
