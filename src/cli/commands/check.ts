import { Command, Option } from "commander";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { checkAndReport, type JudgeOptions } from "../judge-and-report.js";
import { integerBetween } from "../options.js";
import {
  exitCodesHelp,
  meshServiceOption,
  packageOption,
  type ServiceOptions,
  serviceNames,
  withJudgeOptions,
} from "./proxy.js";

interface CheckOptions extends JudgeOptions, ServiceOptions {
  readonly contract: "chat" | "daemon";
  readonly url?: string;
  readonly featureLevel?: number;
}

/** `accord check`: judge a recording of the traffic of a client by the contract. */
export function checkCommand(): Command {
  const command = new Command("check")
    .description("Check the traffic that a browser, a proxy or another tool recorded (HAR 1.2) against a contract.")
    .argument("<recording>", "HAR file")
    .addOption(new Option("--contract <name>", "whose traffic it is").choices(["chat", "daemon"]).default("chat"))
    .option("--url <url>", "URL of the server in the recording (default: the only one that it has calls to)")
    .option(
      "--feature-level <level>",
      "apply the contract of this level (default: the level in the recorded server settings)",
      integerBetween(0, newestLevel),
    )
    .addOption(packageOption())
    .addOption(meshServiceOption());
  return withJudgeOptions(command)
    .addHelpText("after", `${exitCodesHelp}\n\nExample: accord check traffic.har --html clients.html`)
    .action(checkRecording);
}

async function checkRecording(file: string, options: CheckOptions): Promise<void> {
  const { contract, url, featureLevel } = options;
  await checkAndReport("check", options, async (judging) => {
    const common = { ...judging, file, ...(url === undefined ? {} : { url }) };
    if (contract === "chat") {
      const { checkHar } = await import("../../chat/traffic.js");
      return checkHar({ ...common, ...(featureLevel === undefined ? {} : { level: featureLevel }) });
    }
    const { checkDaemonHar } = await import("../../verify/traffic/rpc/check-har.js");
    return checkDaemonHar({ ...common, names: serviceNames(options) });
  });
}
