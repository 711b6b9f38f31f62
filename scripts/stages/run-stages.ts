import type { Stage, StageResult } from "./stage.js";

/**
 * Runs stages in sequence and prints the result and duration of each, with the output of a failed stage. On a terminal it also shows the
 * running stage. All stages run, so that one failure does not hide the next. Returns the names of the failed stages.
 */
export async function runStages(
  stages: readonly Stage[],
  write: (text: string) => void = (text) => process.stdout.write(text),
): Promise<string[]> {
  const failed: string[] = [];
  const width = Math.max(...stages.map(({ name }) => name.length));
  for (const { name, run } of stages) {
    if (process.stdout.isTTY) write(`...     ${name}\r`);
    const start = performance.now();
    const result = await run().catch(
      (error: unknown): StageResult => ({ ok: false, output: error instanceof Error ? error.message : String(error) }),
    );
    const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
    write(
      `${result.ok ? "ok    " : "FAILED"}  ${name.padEnd(width)}  ${seconds}${result.ok && result.detail ? `  ${result.detail}` : ""}\n`,
    );
    if (result.ok) continue;
    failed.push(name);
    write(`${result.output.trimEnd()}\n`);
  }
  return failed;
}
