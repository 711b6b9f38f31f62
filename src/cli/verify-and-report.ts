import { CouldNotRunError } from "../verify/could-not-run-error.js";
import type { Shard } from "../verify/create-selection.js";
import { readKnownFailing } from "../verify/known-failing.js";
import { createProgress } from "../verify/report/create-progress.js";
import type { RunOptions } from "../verify/run-options.js";
import type { VerifyReport } from "../verify/verify-report.js";
import { hasColours, publishReport, type ReportFiles, requireWritable } from "./publish-report.js";
import { stopSignals } from "./stop-signals.js";

/** Options of `accord verify` for both contracts. */
export interface VerifyOptions extends ReportFiles {
  readonly only?: readonly string[];
  readonly operation?: readonly string[];
  readonly shard?: Shard;
  readonly timings?: string;
  readonly jobs: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly minExercised: number;
  readonly bail?: true;
  readonly strict?: true;
  readonly quiet?: true;
  readonly knownFailing?: string;
}

/**
 * Runs a verification, shows progress on standard error, writes the requested reports and prints the summary. `title` is that of
 * `createProgress`. The first stop signal aborts the run; the reports then cover the checks so far.
 *
 * Rejects with an `ExitCodeError` unless the verification passed, and with a `CouldNotRunError` if a report cannot be written: before
 * the run if that is already clear, otherwise after all other reports are written.
 */
export async function verifyAndReport(
  title: string,
  options: VerifyOptions,
  verify: (options: RunOptions) => Promise<VerifyReport>,
): Promise<void> {
  const {
    knownFailing: file,
    only,
    operation,
    shard,
    jobs,
    timeout,
    minExercised,
    bail = false,
    strict = false,
    quiet = false,
  } = options;
  const knownFailing = file === undefined ? new Map<string, string>() : await readKnownFailing(file);
  const timings = options.timings === undefined ? undefined : await readTimings(options.timings);
  await requireWritable(options);
  const progress = createProgress(process.stderr, { title, colours: hasColours(process.stderr), quiet });
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const signal of stopSignals) process.once(signal, onSignal);
  try {
    const report = await verify({
      ...(only === undefined ? {} : { only }),
      ...(operation === undefined ? {} : { operations: operation }),
      ...(shard === undefined ? {} : { shard: timings === undefined ? shard : { ...shard, timings } }),
      jobs,
      timeoutMs: timeout,
      minExercised,
      bail,
      strict,
      knownFailing,
      signal: stop.signal,
      onPlanned: progress.plan,
      onCheck: ({ id, outcome }) => progress.done(id, outcome.kind === "failed" && !knownFailing.has(id)),
    }).catch(rethrowAsCouldNotRun);
    progress.end();
    await publishReport(report, options);
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

/** Reads the durations of checks from the JSON report of an earlier run. */
async function readTimings(file: string): Promise<ReadonlyMap<string, number>> {
  // It needs Ajv, which is optional.
  const { readJsonReport } = await import("../verify/report/read-json-report.js");
  const { checks } = await readJsonReport(file);
  return new Map(checks.map(({ id, durationMs }) => [id, durationMs]));
}
