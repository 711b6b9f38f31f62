import { Command } from "commander";
import { publishReport, type ReportFiles, requireWritable } from "../publish-report.js";
import { withReportFiles } from "./report-options.js";

/** `accord report merge`: join the reports of the shards of a run. */
export function reportCommand(): Command {
  const command = new Command("report").description("Work with reports of accord verify.");
  withReportFiles(
    command
      .command("merge <files...>")
      .description("Join the JSON reports of all shards of a run into one report with one verdict."),
  )
    .addHelpText(
      "after",
      "\nExit codes: as accord verify; 2 if the reports are not all shards of one run.\n\nExample: accord report merge shard-*.json --html report.html",
    )
    .action(mergeFiles);
  return command;
}

async function mergeFiles(files: readonly string[], options: ReportFiles): Promise<void> {
  const [{ mergeReports }, { fromJsonReport, readJsonReport }] = await Promise.all([
    import("../../verify/merge-reports.js"),
    import("../../verify/read-json-report.js"),
  ]);
  await requireWritable(options);
  const parts = await Promise.all(
    files.map(async (name) => ({ name, report: fromJsonReport(await readJsonReport(name)) })),
  );
  await publishReport(await mergeReports(parts), options);
}
