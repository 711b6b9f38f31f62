import type { Command } from "commander";
import { accountForm } from "../verify/rest/accounts.js";
import { type AnyContract, loadContract } from "./load-contract.js";
import { hideOtherOptions } from "./service-options.js";

/** The options of `accord verify` and `accord proxy` that depend on the document of a contract. */
const [accountOption, levelOption] = ["--account", "--feature-level"];

/**
 * Prints the help of a command for a contract of a project, such as `accord verify NAME --help`: the options that it has, and how its
 * accounts are written. Returns whether it did, which it does not for other help and for unknown contracts.
 */
export async function printHelpOfContract(args: readonly string[], commands: readonly Command[]): Promise<boolean> {
  const [verb, ...rest] = args;
  const [name] = rest[0] === "contract" ? rest.slice(1) : rest;
  const command = commands.find((one) => one.name() === verb);
  const own = command?.commands.find((one) => one.name() === "contract");
  if (own === undefined || name === undefined || name.startsWith("-") || !args.includes("--help")) return false;
  if (command?.commands.some((one) => one.name() === name)) return false;
  const project = args.includes("--project") ? args[args.indexOf("--project") + 1] : undefined;
  const loaded = await loadContract(name, project, { runsCode: false }).catch(() => undefined);
  if (loaded === undefined) return false;
  adapt(own.name(name).usage("[options] <address>"), loaded);
  own.outputHelp();
  return true;
}

function adapt(command: Command, { kind, contract }: AnyContract): void {
  command.description(command.description().replace(/a contract of accord\.yaml.*/, `the contract ${contract.name}.`));
  hideOtherOptions(command, kind);
  if (kind === "rpc") return;
  for (const option of command.options) {
    if (option.long === levelOption && contract.newestLevel === 0) option.hideHelp();
    if (option.long === accountOption)
      option.description = option.description.replaceAll("NAME:PASSWORD or TOKEN", accountForm(contract.document));
  }
}
