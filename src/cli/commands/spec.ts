import { Command, Option } from "commander";
import type { ContractFormat } from "../../contract/chat/contract-file.js";
import { integerBetween } from "../options.js";

const formats = ["yaml", "json"] as const satisfies readonly ContractFormat[];

/** `accord spec chat`: print the contract, optionally as of a feature level. */
export function specCommand(): Command {
  const command = new Command("spec").description("Print a contract.");
  command
    .command("chat")
    .description("Print the chat contract as OpenAPI 3.1.")
    .option(
      "--feature-level <level>",
      "print the contract of this feature level (default: the newest)",
      integerBetween(0, 1_000_000),
    )
    .addOption(new Option("--format <format>", "format of the output").choices(formats).default("yaml"))
    .action(async ({ featureLevel, format }: { featureLevel?: number; format: ContractFormat }) => {
      const [{ formatContract }, { atFeatureLevel }, { loadContract }] = await Promise.all([
        import("../../contract/chat/contract-file.js"),
        import("../../contract/chat/level/at-feature-level.js"),
        import("../../contract/chat/contract-file.js"),
      ]);
      const contract = await loadContract();
      process.stdout.write(
        formatContract(featureLevel === undefined ? contract : atFeatureLevel(contract, featureLevel), format),
      );
    });
  return command;
}
