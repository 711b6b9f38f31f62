import type { DaemonCase } from "../../contract/daemon/cases.js";
import { runAll } from "../run-all.js";

/**
 * Runs cases, up to `jobs` at a time. If `jobs` is above one, the cases that wait until the daemon gives up do not
 * count: they all run at once, alongside the others. Resolves to the time in milliseconds in which only such cases ran.
 */
export async function runCases(
  cases: readonly DaemonCase[],
  jobs: number,
  run: (one: DaemonCase) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  const waiting = jobs === 1 ? [] : cases.filter(waitsForLimit);
  const others = cases.filter((one) => !waiting.includes(one));
  const runOthers = async () => {
    await runAll(others, jobs, run, signal);
    return performance.now();
  };
  const [end] = await Promise.all([runOthers(), runAll(waiting, waiting.length, run, signal)]);
  return performance.now() - end;
}

/** Whether a case has a host that never completes its response, so that the daemon waits until its time limit. */
export function waitsForLimit({ given, canceled }: DaemonCase): boolean {
  const kind = given?.host?.kind;
  return canceled === undefined && (kind === "silent" || kind === "slow");
}
