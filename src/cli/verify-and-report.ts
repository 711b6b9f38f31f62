import { CouldNotRunError } from "../verify/could-not-run-error.js";
import type { Shard } from "../verify/create-selection.js";
import { createProgress } from "../verify/report/create-progress.js";
import type { RunOptions } from "../verify/run-options.js";
import type { VerifyReport } from "../verify/verify-report.js";
import { finishReports, hasColours, prepareReports, type ReportOptions } from "./reports.js";
import { stopSignals } from "./stop-signals.js";

/** Options of `accord verify` for both contracts. */
export interface VerifyOptions extends ReportOptions {
  readonly only?: readonly string[];
  readonly shard?: Shard;
  readonly jobs: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly minExercised: number;
  readonly bail?: true;
  readonly strict?: true;
}

/**
 * Runs a verification, shows progress on a terminal, writes the requested reports and prints the summary. The first stop signal aborts
 * the run; the reports then cover the checks so far.
 *
 * Rejects with an `ExitCodeError` unless the verification passed, and with a `CouldNotRunError` if a report cannot be written: before
 * the run if that is already clear, otherwise after all other reports are written.
 */
export async function verifyAndReport(
  options: VerifyOptions,
  verify: (options: RunOptions) => Promise<VerifyReport>,
): Promise<void> {
  const { only, shard, jobs, timeout, minExercised, bail = false, strict = false } = options;
  const knownFailing = await prepareReports(options);
  const progress = createProgress(process.stderr, { knownFailing, colours: hasColours(process.stderr) });
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of stopSignals) process.once(signal, onSignal);
  try {
    const report = await verify({
      ...(only === undefined ? {} : { only }),
      ...(shard === undefined ? {} : { shard }),
      jobs,
      timeoutMs: timeout,
      minExercised,
      bail,
      strict,
      knownFailing,
      signal: stop.signal,
      onPlanned: progress.plan,
      onCheck: progress.done,
    }).catch(rethrowAsCouldNotRun);
    progress.end();
    await finishReports(report, options);
  } finally {
    progress.end();
    for (const signal of stopSignals) process.off(signal, onSignal);
  }
}

/** Reports an unexpected error as a fault of this package, because it says nothing about the server. */
function rethrowAsCouldNotRun(error: unknown): never {
  if (error instanceof CouldNotRunError) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new CouldNotRunError(`A fault of this package, not of the server, ended the run: ${reason}`);
}
