import { dirname, join } from "node:path";
import { Command } from "commander";
import { UsageError } from "../../base/usage-error.js";
import { ExitCodeError, exitCodes } from "../exit-codes.js";
import { printLine } from "../print.js";
import { projectContracts, projectOption } from "../project-contracts.js";

/** `accord generate [name]`: write what is derived from a contract, or check that it is up to date. */
export function generateCommand(): Command {
  return new Command("generate")
    .description("Write the TypeScript types, a typed client and a typed server of a contract into generated/<name>.")
    .argument("[name]", "a contract of accord.yaml (default: all)")
    .option("--check", "write nothing; name the files that are out of date, and exit with 1 if there are any")
    .addOption(projectOption())
    .addHelpText(
      "after",
      "\nOpenAPI needs openapi-typescript; Protobuf needs @bufbuild/buf and @bufbuild/protoc-gen-es.",
    )
    .action(async (name: string | undefined, { check = false, project }: { check?: boolean; project?: string }) => {
      const [{ generateContract }, { compareFiles }, { readGenerated, writeGenerated }, { shippedContracts }] =
        await Promise.all([
          import("../../generate/generate-contract.js"),
          import("../../generate/compare-files.js"),
          import("../../generate/write-generated.js"),
          import("../../contract/project/read-project.js"),
        ]);
      const shipped = shippedContracts().map((contract) => contract.name);
      let stale = false;
      for (const contract of await projectContracts(name, project)) {
        if (shipped.includes(contract.name))
          throw new UsageError(
            `${contract.name} ships with Accord, generated: import accord-contracts/${contract.name}.`,
          );
        const root = project === undefined ? "." : dirname(project);
        const folder = join(root, "generated", contract.name);
        const files = await generateContract(contract);
        if (check) {
          const problems = compareFiles(files, await readGenerated(folder));
          for (const problem of problems) printLine(join(folder, problem));
          stale ||= problems.length > 0;
          continue;
        }
        await writeGenerated(root, folder, files);
        printLine(`wrote ${files.size} file${files.size === 1 ? "" : "s"} into ${folder}`);
      }
      if (stale) {
        process.stderr.write(
          "accord: Generated files are out of date. Write them with: npx --no-install accord generate\n",
        );
        throw new ExitCodeError(exitCodes.failed);
      }
    });
}
