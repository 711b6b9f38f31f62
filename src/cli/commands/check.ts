import { Command, Option } from "commander";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { checkAndReport, type JudgeOptions } from "../judge-and-report.js";
import { integerBetween } from "../options.js";
import {
  describeExchangeLine,
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
    .action((file: string, options: CheckOptions) =>
      options.contract === "chat" ? checkChatRecording(file, options) : checkDaemonRecording(file, options),
    );
}

async function checkChatRecording(file: string, options: CheckOptions): Promise<void> {
  const { url, featureLevel } = options;
  const { checkHar } = await import("../../verify/chat/traffic/check-har.js");
  await checkAndReport("check", options, ({ onExchange, ...listeners }) =>
    checkHar({
      ...listeners,
      file,
      ...(url === undefined ? {} : { url }),
      ...(featureLevel === undefined ? {} : { level: featureLevel }),
      onExchange: (exchange, mask) => onExchange(() => mask(describeExchangeLine(exchange))),
    }),
  );
}

async function checkDaemonRecording(file: string, options: CheckOptions): Promise<void> {
  const { url } = options;
  const { checkDaemonHar } = await import("../../verify/daemon/traffic/check-har.js");
  await checkAndReport("check", options, ({ onExchange, ...listeners }) =>
    checkDaemonHar({
      ...listeners,
      file,
      ...(url === undefined ? {} : { url }),
      names: serviceNames(options),
      onExchange: (exchange) => onExchange(() => describeExchangeLine(exchange)),
    }),
  );
}
