import { Command, Option } from "commander";
import type { RpcLevel } from "../../breaking/rpc-changes.js";
import { ExitCodeError, exitCodes } from "../exit-codes.js";
import { printLine } from "../print.js";
import { projectContracts, projectOption } from "../project-contracts.js";

interface BreakingOptions {
  readonly against: string;
  readonly project?: string;
  readonly level?: RpcLevel;
}

/** `accord breaking [name]`: what changed for users of a contract since a revision. */
export function breakingCommand(): Command {
  return new Command("breaking")
    .description("Report how a contract changed since a Git revision, in terms of semantic versioning.")
    .argument("[name]", "a contract of accord.yaml (default: all)")
    .requiredOption("--against <revision>", "the Git revision to compare with, such as origin/main or v1.2.0")
    .addOption(
      new Option("--level <level>", "for Protobuf: what must not break (default: as buf.yaml says, or source)").choices(
        ["wire", "source"],
      ),
    )
    .addOption(projectOption())
    .addHelpText(
      "after",
      `
--level wire allows what only breaks generated code, such as a renamed message; programs that run keep talking to each other.

Exit codes: 0 no breaking change, or the version of the document announces it; 1 a breaking change without a new version.
Protobuf has no version, so every breaking change exits with 1. OpenAPI needs @redocly/cli, Protobuf @bufbuild/buf.`,
    )
    .action(async (name: string | undefined, { against, project, level }: BreakingOptions) => {
      const { compareContract } = await import("../../breaking/compare-contract.js");
      let failed = false;
      for (const contract of await projectContracts(name, project)) {
        const { impact, reasons, isNew, neededVersion, isUnannounced } = await compareContract(
          contract,
          against,
          level,
        );
        for (const reason of reasons) printLine(reason);
        const bump = neededVersion === undefined ? "" : `, needs version ${neededVersion} or higher`;
        printLine(`${contract.name}: ${isNew ? "new" : impact}${bump} since ${against}`);
        failed ||= isUnannounced;
      }
      if (failed) throw new ExitCodeError(exitCodes.failed);
    });
}
