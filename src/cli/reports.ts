import { access, constants, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CouldNotRunError } from "../verify/could-not-run-error.js";
import { formatKnownFailing, readKnownFailing } from "../verify/known-failing.js";
import { exitCode } from "../verify/report/exit-code.js";
import { formatJson } from "../verify/report/format-json.js";
import { formatJunit } from "../verify/report/format-junit.js";
import { formatSummary } from "../verify/report/format-summary.js";
import { formatHtml } from "../verify/report/html/format-html.js";
import type { VerifyReport } from "../verify/verify-report.js";
import { ExitCodeError } from "./exit-codes.js";

/** The reports that a command writes. */
export interface ReportOptions {
  readonly knownFailing?: string;
  readonly writeKnownFailing?: string;
  readonly json?: string;
  readonly junit?: string;
  readonly html?: string;
}

/**
 * Reads the known-failing list and checks that the reports can be written. Rejects with a `KnownFailingError`, or with a
 * `CouldNotRunError` that names every file that is not writable.
 */
export async function prepareReports(
  options: ReportOptions,
  others: readonly (string | undefined)[] = [],
): Promise<ReadonlyMap<string, string>> {
  const { knownFailing: file, json, junit, html, writeKnownFailing } = options;
  const knownFailing = file === undefined ? new Map<string, string>() : await readKnownFailing(file);
  await requireWritable([json, junit, html, writeKnownFailing, ...others]);
  return knownFailing;
}

/**
 * Writes the requested reports and prints the summary. Rejects with an `ExitCodeError` unless the report passes, and with a
 * `CouldNotRunError` if a report cannot be written, after all others are.
 */
export async function finishReports(report: VerifyReport, options: ReportOptions): Promise<void> {
  const problems = await writeReports(report, options);
  const columns = process.stdout.columns ?? 100;
  process.stdout.write(formatSummary(report, { colours: hasColours(process.stdout), columns }));
  if (problems.length > 0) throw new CouldNotRunError(problems.join("\n"));
  const code = exitCode(report);
  if (code !== 0) throw new ExitCodeError(code);
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
  { json, junit, html, writeKnownFailing }: ReportOptions,
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

/** Whether a stream shows colours. Source: https://no-color.org */
export function hasColours(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR;
}
