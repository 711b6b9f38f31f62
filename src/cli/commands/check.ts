import { Command } from "commander";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { checkAndReport, type JudgeOptions } from "../judge-and-report.js";
import { integerBetween } from "../options.js";
import { describeExchangeLine, exitCodesHelp, withJudgeOptions } from "./proxy.js";

interface CheckOptions extends JudgeOptions {
  readonly url?: string;
  readonly featureLevel?: number;
}

/** `accord check`: judge a recording of the traffic of a client by the contract. */
export function checkCommand(): Command {
  const command = new Command("check")
    .description(
      "Check the traffic that a browser, a proxy or another tool recorded (HAR 1.2) against the chat contract.",
    )
    .argument("<recording>", "HAR file")
    .option("--url <url>", "URL of the server's API in the recording (default: the only one that it has calls to)")
    .option(
      "--feature-level <level>",
      "apply the contract of this level (default: the level in the recorded server settings)",
      integerBetween(0, newestLevel),
    );
  return withJudgeOptions(command)
    .addHelpText("after", `${exitCodesHelp}\n\nExample: accord check traffic.har --html clients.html`)
    .action(checkRecording);
}

async function checkRecording(file: string, options: CheckOptions): Promise<void> {
  const { url, featureLevel } = options;
  const [{ checkHar }, { maskOf }] = await Promise.all([
    import("../../verify/chat/traffic/check-har.js"),
    import("../../verify/chat/traffic/secrets-of-exchange.js"),
  ]);
  await checkAndReport("check", options, ({ onExchange, ...listeners }) =>
    checkHar({
      ...listeners,
      file,
      ...(url === undefined ? {} : { url }),
      ...(featureLevel === undefined ? {} : { level: featureLevel }),
      onExchange: (exchange) => onExchange(() => maskOf(exchange)(describeExchangeLine(exchange))),
    }),
  );
}
