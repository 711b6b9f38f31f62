import { access } from "node:fs/promises";
import { CouldNotRunError } from "../base/could-not-run-error.js";
import { UsageError } from "../base/usage-error.js";
import type { Degree } from "../report/model/degree.js";
import type { JsonReport } from "../report/model/json-report.js";
import type { VerifyReport } from "../report/model/verify-report.js";
import type { Shard } from "../verify/create-selection.js";
import { readKnownFailing } from "../verify/known-failing.js";
import type { RunOptions } from "../verify/run-options.js";
import { createProgress, type Progress } from "./create-progress.js";
import { ExitCodeError, exitCodes } from "./exit-codes.js";
import { hasColours, publishReport, type ReportFiles, requireWritable } from "./publish-report.js";
import { onStop } from "./stop-signals.js";
import { untilReachable, watchAndRepeat } from "./watch-and-repeat.js";

/** Options of `accord verify` for both contracts. */
export interface VerifyCommandOptions extends ReportFiles {
  readonly only?: readonly string[];
  readonly operation?: readonly string[];
  readonly allowWrites?: true;
  readonly disposable?: true;
  readonly exclude?: readonly string[];
  /** Requests per second. */
  readonly rate?: number;
  readonly shard?: Shard;
  readonly timings?: string;
  readonly jobs: number;
  /** Milliseconds. */
  readonly timeout: number;
  /** Seconds. */
  readonly restartWait: number;
  /** Undefined unless given. */
  readonly minExercised?: number;
  readonly bail?: true;
  readonly strict?: true;
  readonly quiet?: true;
  readonly knownFailing?: string;
  /** The JSON report whose failures to repeat. */
  readonly replay?: string;
  /** Whether to repeat the run after changes; the paths to watch. */
  readonly watch?: true | readonly string[];
}

/** What a run takes from an earlier one. */
export type EarlierRun = Pick<JsonReport, "seed" | "level">;

/**
 * Runs a verification, shows progress on standard error, writes the requested reports and prints the summary. `title` is that of
 * `createProgress`. The first stop signal aborts the run; the reports then cover the checks so far.
 *
 * Rejects with an `ExitCodeError` unless the verification passed, and with a `CouldNotRunError` if a report cannot be written: before
 * the run if that is already clear, otherwise after all other reports are written.
 */
export async function verifyAndReport(
  title: string,
  options: VerifyCommandOptions,
  target: string,
  verify: (options: RunOptions, earlier: EarlierRun) => Promise<VerifyReport>,
): Promise<void> {
  const {
    knownFailing: file,
    only,
    operation,
    exclude,
    rate,
    shard,
    jobs,
    timeout,
    restartWait,
    minExercised,
    bail = false,
    strict = false,
    quiet = false,
  } = options;
  const knownFailing = file === undefined ? new Map<string, string>() : await readKnownFailing(file);
  const timings = options.timings === undefined ? undefined : await readTimings(options.timings);
  const replayed = options.replay === undefined ? undefined : await readFailures(options.replay, title);
  await requireWritable(options);
  const paths = await watchedPaths(options.watch);
  const progress = createProgress(process.stderr, { title, colours: hasColours(process.stderr), quiet });
  const stop = new AbortController();
  // A second signal ends the process.
  const stopWatching = onStop(() => {
    stopWatching();
    stop.abort();
  });
  const run = (ids: readonly string[] | undefined, earlier: EarlierRun, shown: Pick<Progress, "plan" | "done">) =>
    verify(
      {
        ids,
        only,
        operations: operation,
        degree: degreeOf(options),
        exclude,
        rate,
        shard: shard && { ...shard, timings },
        jobs,
        timeoutMs: timeout,
        restartWaitMs: restartWait * 1000,
        minExercised,
        bail,
        strict,
        knownFailing,
        signal: stop.signal,
        onPlanned: shown.plan,
        onCheck: ({ id, outcome }) => shown.done(id, outcome.kind === "failed" && !knownFailing.has(id)),
      },
      earlier,
    ).catch(rethrowAsCouldNotRun);
  try {
    if (paths !== undefined) await untilReachable(target, stop.signal);
    const report = await run(replayed?.ids, replayed?.earlier ?? {}, progress);
    progress.end();
    if (paths === undefined || report.stopped) return await publishReport(report, options);
    await publishReport(report, options).catch((error: unknown) => {
      if (!(error instanceof ExitCodeError)) throw error;
    });
    const { seed } = report;
    const quietly = { plan: () => {}, done: () => {} };
    const isFailing = await watchAndRepeat(report, {
      ...{ paths, target, signal: stop.signal },
      run: (ids) =>
        run(ids ?? replayed?.ids, { ...replayed?.earlier, ...(seed === undefined ? {} : { seed }) }, quietly),
      write: (line) => process.stdout.write(`${line}\n`),
    });
    if (isFailing) throw new ExitCodeError(exitCodes.failed);
  } finally {
    progress.end();
    stopWatching();
  }
}

/** What the options allow a run to send. */
function degreeOf({ allowWrites, disposable }: Pick<VerifyCommandOptions, "allowWrites" | "disposable">): Degree {
  if (disposable) return "everything";
  return allowWrites ? "undone" : "reads";
}

/** Reports an unexpected error as a fault of this package, because it says nothing about the server. */
function rethrowAsCouldNotRun(error: unknown): never {
  if (error instanceof UsageError) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new CouldNotRunError(`A fault of this package, not of the server, ended the run: ${reason}`);
}

/** Reads which checks of a report failed or could not run, and how it was made. Throws a `CouldNotRunError` if there are none. */
async function readFailures(file: string, title: string): Promise<{ ids: readonly string[]; earlier: EarlierRun }> {
  // It needs Ajv, which is optional.
  const { readJsonReport } = await import("../report/read-json-report.js");
  const { contract, checks, seed, level } = await readJsonReport(file);
  if (title !== `verify ${contract}`)
    throw new CouldNotRunError(
      `${file} is a report of the ${contract} contract: repeat it with accord verify ${contract}`,
    );
  const ids = checks.flatMap(({ id, verdict }) => (verdict === "failed" || verdict === "errored" ? id : []));
  if (ids.length === 0) throw new CouldNotRunError(`${file} has no failed check to repeat`);
  return { ids, earlier: { seed, level } };
}

/** The paths to watch. Undefined without `--watch`. Throws a `CouldNotRunError` if one does not exist. */
async function watchedPaths(watch: VerifyCommandOptions["watch"]): Promise<readonly string[] | undefined> {
  if (watch === undefined) return undefined;
  const paths = watch === true ? [] : watch;
  for (const path of paths) {
    await access(path).catch((error: Error) => {
      throw new CouldNotRunError(`${path} cannot be watched: ${error.message}`);
    });
  }
  return paths;
}

/** Reads the durations of checks from the JSON report of an earlier run. */
async function readTimings(file: string): Promise<ReadonlyMap<string, number>> {
  // It needs Ajv, which is optional.
  const { readJsonReport } = await import("../report/read-json-report.js");
  const { checks } = await readJsonReport(file);
  return new Map(checks.map(({ id, durationMs }) => [id, durationMs]));
}
