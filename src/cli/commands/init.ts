import { existsSync } from "node:fs";
import { Command } from "commander";
import { projectFileName } from "../../contract/project/project.js";
import { formatLintFinding } from "../../lint/finding.js";
import { ExitCodeError, exitCodes } from "../exit-codes.js";
import { importOptional } from "../import-optional.js";
import { printLine } from "../print.js";
import { projectContracts } from "../project-contracts.js";

/** `accord init [document]`: make a folder a project with a contract. */
export function initCommand(): Command {
  return new Command("init")
    .description("Write accord.yaml, and a place for rules, for an OpenAPI document or a folder of .proto files.")
    .argument("[document]", "openapi.yaml, a folder of .proto files, or a folder to search (default: this folder)")
    .option("--workflows", "also write the workflows that follow from the document into behaviour/ or cases/ beside it")
    .addHelpText("after", "\nOverwrites no file.\n\nExample: accord init openapi.yaml")
    .action(async (path: string | undefined, { workflows = false }: { readonly workflows?: true | false }) => {
      if (workflows && path === undefined && existsSync(projectFileName)) return writeAllWorkflows();
      const { initProject } = await importOptional("accord init", () => import("../../init/init-project.js"));
      const { name, kind, written, kept, operations, findings } = await initProject(path);
      // Habits of the document are for `accord lint`.
      const telling = findings.filter(
        ({ severity, check }) => severity === "error" || /unsupported$|^not-judged$/.test(check ?? ""),
      );
      for (const finding of telling) printLine(formatLintFinding(finding));
      if (written.length === 0) {
        process.stderr.write(
          "accord: Wrote nothing, because the document cannot be read. Correct it, and run this again.\n",
        );
        throw new ExitCodeError(exitCodes.failed);
      }
      const places = [...written, ...kept].filter((file) => file !== projectFileName);
      const noun = kind === "rest" ? "operation" : "RPC";
      const lines = [
        ...written.map((file) => `wrote ${file}`),
        ...kept.map((file) => `kept ${file}`),
        `${name}: ${operations} ${noun}${operations === 1 ? "" : "s"}. Next:`,
        ...nextSteps([
          ["npx --no-install accord lint", "mistakes, with file and line"],
          [`npx --no-install accord verify ${name} URL`, `which ${noun}s of a server answer as documented`],
          ...places.map((file) => [file, "what a server must do beyond that"] as const),
        ]),
      ];
      for (const line of lines) printLine(line);
      if (workflows) await writeAllWorkflows();
    });
}

/** Writes the derived workflows of every contract of the project. */
async function writeAllWorkflows(): Promise<void> {
  const { writeWorkflows } = await importOptional(
    "accord init --workflows",
    () => import("../../behaviour/workflow-files.js"),
  );
  for (const contract of await projectContracts(undefined)) {
    const { written, kept } = await writeWorkflows(contract);
    for (const file of written) printLine(`wrote ${file}`);
    for (const file of kept) printLine(`kept ${file}`);
    if (written.length + kept.length === 0) printLine(`${contract.name}: no workflow follows from the document`);
  }
}

/** Aligns what to do next with what each step gives. */
function nextSteps(steps: readonly (readonly [step: string, gives: string])[]): string[] {
  const width = Math.max(...steps.map(([step]) => step.length));
  return steps.map(([step, gives]) => `  ${step.padEnd(width)}  ${gives}`);
}
