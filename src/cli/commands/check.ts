import { Command } from "commander";
import { UsageError } from "../../base/usage-error.js";
import { checkAndReport, type JudgeCommandOptions } from "../judge-and-report.js";
import { loadNamedContract } from "../load-contract.js";
import { integerBetween, maxLevel } from "../options.js";
import { projectOption } from "../project-contracts.js";
import {
  packageOption,
  requireOwnOptions,
  type ServiceNameOptions,
  serviceNames,
  serviceOption,
} from "../service-options.js";
import { warnUnjudgedBodies } from "../warn-not-judged.js";
import { exitCodesHelp, withJudgeOptions } from "./proxy.js";

interface CheckOptions extends JudgeCommandOptions, ServiceNameOptions {
  readonly contract?: string;
  readonly project?: string;
  readonly url?: string;
  readonly featureLevel?: number;
}

/** `accord check`: judge a recording of the traffic of a client by the contract. */
export function checkCommand(): Command {
  const command = new Command("check")
    .description("Check the traffic that a browser, a proxy or another tool recorded (HAR 1.2) against a contract.")
    .usage("[options] [contract] <recording>")
    .arguments("<contract-or-recording> [recording]")
    .option("--contract <name>", "the contract, if no argument names it (default: chat)")
    .addOption(projectOption())
    .option("--url <url>", "URL of the server in the recording (default: the only one that it has calls to)")
    .option(
      "--feature-level <level>",
      "apply the contract of this level (default: the level that the recording states)",
      integerBetween(0, maxLevel),
    )
    .addOption(packageOption())
    .addOption(serviceOption());
  return withJudgeOptions(command)
    .addHelpText(
      "after",
      `
The contract is chat, daemon, or one of accord.yaml.
${exitCodesHelp}\n\nExample: accord check chat traffic.har --html clients.html`,
    )
    .action(checkRecording);
}

async function checkRecording(first: string, second: string | undefined, options: CheckOptions): Promise<void> {
  const { contract, project, url, featureLevel } = options;
  if (second !== undefined && contract !== undefined)
    throw new UsageError(`The contract is named twice: ${first} and --contract ${contract}. Omit one of them`);
  const name = second === undefined ? (contract ?? "chat") : first;
  const common = { file: second ?? first, url };
  const { kind, contract: loaded } = await loadNamedContract(name, project, { runsCode: false });
  if (kind === "rest") await warnUnjudgedBodies(loaded.document);
  requireOwnOptions(name, kind, options);
  if (kind === "rpc") {
    const { checkRpcHar } = await import("../../traffic/rpc/check-rpc-har.js");
    return checkAndReport("check", options, (judging) =>
      checkRpcHar(loaded, { ...judging, ...common, names: serviceNames(options) }),
    );
  }
  const { checkRestHar } = await import("../../traffic/rest/check-rest-har.js");
  const level = featureLevel === undefined ? {} : { level: featureLevel };
  await checkAndReport("check", options, (judging) => checkRestHar(loaded, { ...judging, ...common, ...level }));
}
