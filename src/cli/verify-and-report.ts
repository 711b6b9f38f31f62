import { access, constants, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CouldNotRunError } from "../verify/could-not-run-error.js";
import type { Shard } from "../verify/create-selection.js";
import { formatKnownFailing, readKnownFailing } from "../verify/known-failing.js";
import { createProgress } from "../verify/report/create-progress.js";
import { exitCode } from "../verify/report/exit-code.js";
import { formatJson } from "../verify/report/format-json.js";
import { formatJunit } from "../verify/report/format-junit.js";
import { formatSummary } from "../verify/report/format-summary.js";
import { formatHtml } from "../verify/report/html/format-html.js";
import type { RunOptions } from "../verify/run-options.js";
import type { VerifyReport } from "../verify/verify-report.js";
import { ExitCodeError } from "./exit-codes.js";
import { stopSignals } from "./stop-signals.js";

/** Options of `accord verify` for both contracts. */
export interface VerifyOptions {
  readonly only?: readonly string[];
  readonly shard?: Shard;
  readonly jobs: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly minExercised: number;
  readonly bail?: true;
  readonly strict?: true;
  readonly quiet?: true;
  readonly knownFailing?: string;
  readonly writeKnownFailing?: string;
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
}

/**
 * Runs a verification, shows progress on standard error under the given title, writes the requested reports and prints the summary. The first stop signal aborts
 * the run; the reports then cover the checks so far.
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
    shard,
    jobs,
    timeout,
    minExercised,
    bail = false,
    strict = false,
    quiet = false,
  } = options;
  const knownFailing = file === undefined ? new Map<string, string>() : await readKnownFailing(file);
  await requireWritable([options.json, options.junit, options.html, options.writeKnownFailing]);
  const progress = createProgress(process.stderr, { title, colours: hasColours(process.stderr), quiet });
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
      onCheck: ({ id, outcome }) => progress.done(id, outcome.kind === "failed" && !knownFailing.has(id)),
    }).catch(rethrowAsCouldNotRun);
    progress.end();
    const problems = await writeReports(report, options);
    const columns = process.stdout.columns ?? 100;
    process.stdout.write(formatSummary(report, { colours: hasColours(process.stdout), columns }));
    if (problems.length > 0) throw new CouldNotRunError(problems.join("\n"));
    const code = exitCode(report);
    if (code !== 0) throw new ExitCodeError(code);
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

/** Throws a `CouldNotRunError` that names every file that is not writable. Writes nothing. */
async function requireWritable(files: readonly (string | undefined)[]): Promise<void> {
  const problems = await Promise.all(files.map((file) => (file === undefined ? undefined : findWriteProblem(file))));
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw new CouldNotRunError(found.join("\n"));
}

/** Describes why a file cannot be written. Undefined if it can. */
async function findWriteProblem(file: string): Promise<string | undefined> {
  const existing = await stat(file).catch(() => undefined);
  if (existing?.isDirectory() === true) return notWritten(file, "it is a folder");
  return await access(existing === undefined ? dirname(file) : file, constants.W_OK).then(
    () => undefined,
    (error: Error) => notWritten(file, error.message),
  );
}

/** Writes the requested reports, and describes those that could not be written. */
async function writeReports(
  report: VerifyReport,
  { json, junit, html, writeKnownFailing }: VerifyOptions,
): Promise<string[]> {
  const reports = [
    [json, formatJson],
    [junit, formatJunit],
    [html, formatHtml],
    [writeKnownFailing, formatKnownFailing],
  ] as const;
  const problems: string[] = [];
  for (const [file, format] of reports) {
    if (file === undefined) continue;
    await writeFile(file, format(report)).catch((error: Error) => problems.push(notWritten(file, error.message)));
  }
  return problems;
}

function notWritten(file: string, reason: string): string {
  return `The report ${file} cannot be written: ${reason}`;
}

/** Source: https://no-color.org */
function hasColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR;
}
