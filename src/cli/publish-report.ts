import { access, appendFile, constants, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CouldNotRunError } from "../base/could-not-run-error.js";
import { formatCtrf } from "../report/format-ctrf.js";
import { formatJunit } from "../report/format-junit.js";
import { formatMarkdown } from "../report/format-markdown.js";
import { formatSummary } from "../report/format-summary.js";
import { formatHtml } from "../report/html/format-html.js";
import { formatJson, type ReportModel, toJsonReport } from "../report/model/to-json-report.js";
import type { VerifyReport } from "../report/model/verify-report.js";
import { formatKnownFailing } from "../verify/known-failing.js";
import { ExitCodeError } from "./exit-codes.js";
import { formatAnnotations, withoutCommands } from "./github-annotations.js";

/** The files that a command writes a report to. */
export interface ReportFiles {
  readonly json?: string;
  readonly junit?: string;
  readonly ctrf?: string;
  readonly html?: string;
  readonly markdown?: string;
  readonly writeKnownFailing?: string;
}

/** Throws a `CouldNotRunError` that names every file that is not writable. Writes nothing. */
export async function requireWritable(files: ReportFiles, others: readonly string[] = []): Promise<void> {
  const { json, junit, ctrf, html, markdown, writeKnownFailing } = files;
  const paths = [json, junit, ctrf, html, markdown, writeKnownFailing, ...others].filter((file) => file !== undefined);
  const problems = await Promise.all(paths.map(findWriteProblem));
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw new CouldNotRunError(found.join("\n"));
}

/**
 * Writes the requested reports and prints the summary; in GitHub Actions also annotations. Rejects with an `ExitCodeError` unless the
 * verification passed, and with a `CouldNotRunError` if a report cannot be written, after all others are written.
 */
export async function publishReport(report: VerifyReport, files: ReportFiles): Promise<void> {
  const model = toJsonReport(report);
  const problems = await writeReports(report, model, files);
  const columns = process.stdout.columns ?? 100;
  const summary = formatSummary(model, { colours: hasColours(process.stdout), columns });
  const onGitHub = process.env.GITHUB_ACTIONS === "true";
  process.stdout.write(onGitHub ? withoutCommands(summary) + formatAnnotations(model) : summary);
  if (problems.length > 0) throw new CouldNotRunError(problems.join("\n"));
  if (model.exitCode !== 0) throw new ExitCodeError(model.exitCode);
}

/** Whether a stream shows colours. Source: https://force-color.org and https://no-color.org; as in Node, the first wins. */
export function hasColours(stream: Pick<NodeJS.WriteStream, "isTTY">): boolean {
  const { FORCE_COLOR: forced = "", NO_COLOR: none = "" } = process.env;
  if (forced !== "") return !/^(?:0|false)$/.test(forced);
  return stream.isTTY === true && none === "";
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
  model: ReportModel,
  { json, junit, ctrf, html, markdown, writeKnownFailing }: ReportFiles,
): Promise<string[]> {
  const reports = [
    [json, () => formatJson(model)],
    [junit, () => formatJunit(model)],
    [ctrf, () => formatCtrf(model)],
    [html, () => formatHtml(model)],
    [markdown, () => formatMarkdown(model)],
    [writeKnownFailing, () => formatKnownFailing(report)],
  ] as const;
  const problems: string[] = [];
  for (const [file, format] of reports) {
    if (file === undefined) continue;
    // Several steps of a job share one summary, so append to GitHub's file.
    const write = file === process.env.GITHUB_STEP_SUMMARY ? appendFile : writeFile;
    await write(file, format()).catch((error: Error) => problems.push(notWritten(file, error.message)));
  }
  return problems;
}

function notWritten(file: string, reason: string): string {
  return `The report ${file} cannot be written: ${reason}`;
}
