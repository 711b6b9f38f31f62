import type { Command } from "commander";
import { accountForm } from "../verify/rest/accounts.js";
import { type AnyContract, loadNamedContract } from "./load-contract.js";
import { hideOtherOptions } from "./service-options.js";

const anyAccount = "NAME:PASSWORD or TOKEN";

/** The help of `--account`, in which the form of an account depends on the contract. */
export const accountHelp =
  `without states: ${anyAccount} of the usual caller, CALLER=${anyAccount}, or @FILE with one per line; repeatable; ` +
  "or ACCORD_ACCOUNT";

const rpcAccountHelp =
  "TOKEN or NAME:PASSWORD, sent as `authorization`, with other= in front that of somebody else; or ACCORD_ACCOUNT";

/** The option whose meaning depends on whether a contract has levels. */
const levelOption = "--feature-level";
/**
 * Prints the help of a command for a contract, such as `accord verify NAME --help`: the options that it has, and how its accounts are
 * written. Returns whether it did, which it does not for other help and for unknown contracts.
 */
export async function printHelpOfContract(args: readonly string[], commands: readonly Command[]): Promise<boolean> {
  const [verb, name] = args;
  const command = commands.find((one) => one.name() === verb);
  const takesContract = command?.registeredArguments.some((one) => one.description.startsWith("the contract: "));
  if (command === undefined || !takesContract || name === undefined || name.startsWith("-") || !args.includes("--help"))
    return false;
  const project = args.includes("--project") ? args[args.indexOf("--project") + 1] : undefined;
  const loaded = await loadNamedContract(name, project, { runsCode: false }).catch(() => undefined);
  if (loaded === undefined) return false;
  adapt(command, name, loaded);
  command.outputHelp();
  return true;
}

function adapt(command: Command, name: string, { kind, contract }: AnyContract): void {
  const others = command.registeredArguments.slice(1).map((one) => ` <${one.name()}>`);
  command.usage(`${name} [options]${others.join("")}`);
  hideOtherOptions(command, kind);
  for (const option of command.options) {
    if (kind === "rest" && option.long === levelOption && contract.newestLevel === 0) option.hideHelp();
    if (option.description === accountHelp)
      option.description =
        kind === "rpc" ? rpcAccountHelp : accountHelp.replaceAll(anyAccount, accountForm(contract.document));
  }
}
