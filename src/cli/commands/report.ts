import { Command } from "commander";
import { projectContracts, projectOption } from "../project-contracts.js";
import { publishReport, type ReportFiles, requireWritable } from "../publish-report.js";
import { restContract } from "../rest-contract.js";
import { withReportFiles } from "./report-options.js";

/** `accord report merge`: join the reports of the shards of a run. */
export function reportCommand(): Command {
  const command = new Command("report").description("Work with reports of accord verify.");
  withReportFiles(
    command
      .command("merge <files...>")
      .description("Join the JSON reports of all shards of a run into one report with one verdict.")
      .addOption(projectOption()),
  )
    .addHelpText(
      "after",
      "\nExit codes: as accord verify; 2 if the reports are not all shards of one run.\n\nExample: accord report merge shard-*.json --html report.html",
    )
    .action(mergeFiles);
  return command;
}

async function mergeFiles(
  files: readonly string[],
  { project, ...options }: ReportFiles & { readonly project?: string },
): Promise<void> {
  const [{ mergeReports }, { fromJsonReport, readJsonReport }] = await Promise.all([
    import("../../verify/rest/merge-reports.js"),
    import("../../report/read-json-report.js"),
  ]);
  await requireWritable(options);
  const parts = await Promise.all(
    files.map(async (name) => ({ name, report: fromJsonReport(await readJsonReport(name)) })),
  );
  const [{ report } = { report: undefined }] = parts;
  // Only contracts in OpenAPI are needed. Only their reports have a seed.
  const [found] = report?.seed === undefined ? [] : await projectContracts(report.contract, project);
  const contract = found?.kind === "rest" ? await restContract(found) : undefined;
  await publishReport(await mergeReports(parts, contract), options);
}
