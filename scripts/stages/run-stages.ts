import { availableParallelism } from "node:os";
import { runAll } from "../../src/verify/run-all.js";
import type { Stage, StageResult } from "./stage.js";

/**
 * Runs stages, as many at a time as there are processors, and prints the result and duration of each in the given order, with the output
 * of a failed stage. All stages run, so that one failure does not hide the next. Returns the names of the failed stages.
 */
export async function runStages(
  stages: readonly Stage[],
  write: (text: string) => void = (text) => process.stdout.write(text),
): Promise<string[]> {
  const width = Math.max(...stages.map(({ name }) => name.length));
  const results = new Map<Stage, StageResult>();
  const lines = new Map<Stage, string>();
  const remaining = [...stages];
  const printCompleted = () => {
    for (let line = nextLine(); line !== undefined; line = nextLine()) write(line);
  };
  const nextLine = () => {
    const [next] = remaining;
    const line = next && lines.get(next);
    if (line !== undefined) remaining.shift();
    return line;
  };
  await runAll(stages, availableParallelism(), async (stage) => {
    const start = performance.now();
    const result = await stage.run().catch(failure);
    results.set(stage, result);
    const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
    const details = result.ok ? (result.detail ?? "") : "";
    const line = [result.ok ? "ok    " : "FAILED", stage.name.padEnd(width), seconds, details].join("  ").trimEnd();
    lines.set(stage, result.ok ? `${line}\n` : `${line}\n${result.output.trimEnd()}\n`);
    printCompleted();
  });
  return stages.filter((stage) => results.get(stage)?.ok === false).map(({ name }) => name);
}

function failure(error: unknown): StageResult {
  return { ok: false, output: error instanceof Error ? error.message : String(error) };
}
