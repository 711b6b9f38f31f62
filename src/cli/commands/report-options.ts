import type { Command } from "commander";

/** Adds the options for the files that a report is written to. */
export function withReportFiles(command: Command): Command {
  return command
    .option("--json <file>", "write the report as JSON")
    .option("--junit <file>", "write the report as JUnit XML")
    .option("--ctrf <file>", "write the report as CTRF, the JSON format of https://ctrf.io")
    .option("--html <file>", "write the report as one HTML file")
    .option("--markdown <file>", "write the report as Markdown, such as for a comment or $GITHUB_STEP_SUMMARY");
}
