import { Command, Option } from "commander";
import { formatAnnotation, formatLintFinding, type LintFinding, type Tier, tiers } from "../../lint/finding.js";
import { ExitCodeError, exitCodes } from "../exit-codes.js";
import { printLine } from "../print.js";
import { projectContracts, projectOption } from "../project-contracts.js";

interface LintCommandOptions {
  readonly tier: Tier;
  readonly project?: string;
  /** False after `--no-code`. */
  readonly code: boolean;
}

/** `accord lint [name]`: report mistakes in a contract. */
export function lintCommand(): Command {
  return new Command("lint")
    .description("Report mistakes in a contract, with file, line and column.")
    .argument("[name]", "a contract of accord.yaml, chat or daemon (default: all of accord.yaml)")
    .addOption(
      new Option(
        "--tier <tier>",
        "minimal: what every contract needs; strict: also rules with cases, descriptions, examples and known states",
      )
        .choices(tiers)
        .default("minimal"),
    )
    .option("--no-code", "run neither checks in code, from checks/ beside the document, nor plugins of buf.yaml")
    .addOption(projectOption())
    .addHelpText(
      "after",
      "\nExit codes: 0 no errors, 1 errors. Warnings name what Accord does not judge, and habits worth a look.",
    )
    .action(async (name: string | undefined, { tier, project, code: runsCode }: LintCommandOptions) => {
      const { lintContract } = await import("../../lint/lint-contract.js");
      const print =
        process.env.GITHUB_ACTIONS === "true"
          ? (finding: LintFinding) => void process.stdout.write(`${formatAnnotation(finding)}\n`)
          : (finding: LintFinding) => printLine(formatLintFinding(finding));
      let failed = false;
      for (const contract of await projectContracts(name, project)) {
        const findings = await lintContract(contract, { tier, runsCode });
        for (const finding of findings) print(finding);
        const errors = findings.filter(({ severity }) => severity === "error").length;
        printLine(`${contract.name}: ${count(errors, "error")}, ${count(findings.length - errors, "warning")}`);
        failed ||= errors > 0;
      }
      if (failed) throw new ExitCodeError(exitCodes.failed);
    });
}

function count(number: number, noun: string): string {
  return number === 0 ? `no ${noun}s` : `${number} ${noun}${number === 1 ? "" : "s"}`;
}
