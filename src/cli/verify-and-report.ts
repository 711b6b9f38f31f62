import { randomInt } from "node:crypto";
import { writeFile } from "node:fs/promises";
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
import { ExitCodeError } from "./exit-code-error.js";

/** Options of `accord verify` that both contracts have. */
export interface VerifyOptions {
  readonly only?: readonly string[];
  readonly shard?: Shard;
  readonly jobs: number;
  readonly seed?: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly bail?: true;
  readonly knownFailing?: string;
  readonly writeKnownFailing?: string;
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
}

/** The greatest seed. */
export const mostSeed = 2 ** 31 - 1;

/**
 * Runs a verification, shows progress on a terminal, writes the reports that were asked for and prints the summary. The first signal
 * to stop ends the run, which is reported as far as it came.
 *
 * Rejects with an `ExitCodeError` unless all went well.
 */
export async function verifyAndReport(
  options: VerifyOptions,
  verify: (options: RunOptions) => Promise<VerifyReport>,
): Promise<void> {
  const { knownFailing: file, only, shard, jobs, seed = randomInt(mostSeed), timeout, bail = false } = options;
  const knownFailing = file === undefined ? new Map<string, string>() : await readKnownFailing(file);
  const progress = createProgress(process.stderr, { knownFailing, colours: hasColours(process.stderr) });
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);
  try {
    const report = await verify({
      ...(only === undefined ? {} : { only }),
      ...(shard === undefined ? {} : { shard }),
      jobs,
      seed,
      timeoutMs: timeout,
      bail,
      knownFailing,
      signal: stop.signal,
      onPlanned: progress.plan,
      onCheck: progress.done,
    });
    progress.end();
    await writeReports(report, options);
    const columns = process.stdout.columns ?? 100;
    process.stdout.write(formatSummary(report, { colours: hasColours(process.stdout), columns }));
    if (stop.signal.aborted) throw new CouldNotRunError("stopped before the end");
    const code = exitCode(report);
    if (code !== 0) throw new ExitCodeError(code);
  } finally {
    progress.end();
    process.off("SIGINT", onSignal);
    process.off("SIGTERM", onSignal);
  }
}

async function writeReports(
  report: VerifyReport,
  { json, junit, html, writeKnownFailing }: VerifyOptions,
): Promise<void> {
  await write(json, () => formatJson(report));
  await write(junit, () => formatJunit(report));
  await write(html, () => formatHtml(report));
  await write(writeKnownFailing, () => formatKnownFailing(report));
}

async function write(file: string | undefined, format: () => string): Promise<void> {
  if (file === undefined) return;
  await writeFile(file, format()).catch((error: Error) => {
    throw new CouldNotRunError(`The report ${file} cannot be written: ${error.message}`);
  });
}

/** Source: https://no-color.org */
function hasColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR;
}
