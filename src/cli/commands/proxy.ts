import { Command, Option } from "commander";
import { chatContract } from "../../chat/contract.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import { packageProblem, serviceProblem } from "../../contract/rpc/names.js";
import type { ServiceNames } from "../../daemon/service-names.js";
import { maxSeed, resolveSeed } from "../../verify/run-options.js";
import { hostOption, requirePort, warnBeyondLoopback } from "../host-option.js";
import { type JudgeOptions, proxyAndReport } from "../judge-and-report.js";
import { integerBetween, maxLevel, validText } from "../options.js";
import { projectOption } from "../project-contracts.js";
import { trafficContract } from "../rest-contract.js";
import { withReportFiles } from "./report-options.js";

const defaultPort = 4015;
const defaultDaemonPort = 4025;

interface RestOptions extends JudgeOptions {
  readonly port: number;
  readonly host: string;
  readonly featureLevel?: number;
  readonly strain?: true;
  readonly seed?: number;
}

interface OwnOptions extends RestOptions {
  readonly project?: string;
}

/** The options that name the services of a daemon. */
export interface ServiceOptions {
  readonly package?: string;
  readonly meshService?: string;
}

interface DaemonOptions extends JudgeOptions, ServiceOptions {
  readonly port?: number;
  readonly host: string;
  readonly socket?: string;
}

/** `accord proxy`: forward the calls of clients to a server, and judge them by the contract. */
export function proxyCommand(): Command {
  const command = new Command("proxy").description(
    "Forward the calls of a client, in any language, to its server, and check both against the contract.",
  );
  withRestOptions(
    command
      .command("chat <url>")
      .description("Judge the clients of a chat server, such as http://127.0.0.1:4011/api/v1."),
    `chat http://127.0.0.1:4011/api/v1 --port ${defaultPort} --html clients.html`,
  ).action(proxyChatClients);
  withJudgeOptions(
    command
      .command("daemon <address>")
      .description("Judge the clients of a daemon, such as unix:/run/daemon.sock or http://127.0.0.1:4020.")
      .option(
        "--port <port>",
        `TCP port of the proxy; 0 for any free port (default: ${defaultDaemonPort} without --socket)`,
        integerBetween(0, 65535),
      )
      .addOption(hostOption())
      .option("--socket <path>", "Unix socket to listen on, with or without a TCP port")
      .addOption(harOption())
      .addOption(packageOption())
      .addOption(meshServiceOption()),
  )
    .addHelpText(
      "after",
      `
The proxy takes gRPC, gRPC-Web and Connect. Run the tests of your client against it, then press Ctrl+C for the verdict.
${exitCodesHelp}\n\nExample: accord proxy daemon unix:/run/daemon.sock --socket /tmp/proxy.sock --html clients.html`,
    )
    .action(proxyDaemonClients);
  withRestOptions(
    command
      .command("contract <name> <url>", { isDefault: true })
      .description("Judge the clients of a contract of accord.yaml in OpenAPI; the word `contract` may be omitted.")
      .addOption(projectOption()),
    `shop http://127.0.0.1:8080/v1 --port ${defaultPort} --html clients.html`,
  ).action(proxyOwnClients);
  return command;
}

/** The options of contracts in OpenAPI. */
function withRestOptions(command: Command, example: string): Command {
  return withJudgeOptions(
    command
      .option("--port <port>", "TCP port of the proxy; 0 for any free port", integerBetween(0, 65535), defaultPort)
      .addOption(hostOption())
      .option(
        "--feature-level <level>",
        "apply the contract of this level (default: the level that the server reports)",
        integerBetween(0, maxLevel),
      )
      .addOption(harOption())
      .option("--strain", "change responses as a server may, to find out what the client does not tolerate")
      .option("--seed <number>", "repeat the changes of an earlier run", integerBetween(0, maxSeed)),
  ).addHelpText(
    "after",
    `
Run the tests of your client against the proxy, then press Ctrl+C for the verdict.
${exitCodesHelp}\n\nExample: accord proxy ${example}`,
  );
}

function harOption(): Option {
  return new Option("--har <file>", "record the traffic as HAR 1.2, with secrets masked");
}

/** `--package`, for daemons whose services have other names. */
export function packageOption(): Option {
  return new Option("--package <name>", "package of the services, if it is not that of the contract").argParser(
    validText(packageProblem),
  );
}

/** `--mesh-service`, for daemons whose mesh control service has another name. */
export function meshServiceOption(): Option {
  return new Option(
    "--mesh-service <name>",
    "name of the mesh control service, if it is not that of the contract",
  ).argParser(validText(serviceProblem));
}

/** The names of a daemon's services, from those options. */
export function serviceNames({ package: packageName, meshService }: ServiceOptions): ServiceNames {
  return {
    ...(packageName === undefined ? {} : { package: packageName }),
    ...(meshService === undefined ? {} : { meshService }),
  };
}

/** The help text of the exit codes of commands that judge traffic. */
export const exitCodesHelp =
  "\nExit codes: 0 nothing is broken, 1 the client or the server breaks the contract, 2 nothing was judged or the command could\n" +
  "not run, 3 nothing is broken, but too few rules were exercised (see --min-exercised).";

/** Adds the options of every command that judges traffic. */
export function withJudgeOptions(command: Command): Command {
  return withReportFiles(
    command
      .option(
        "--min-exercised <percent>",
        "share of the rules that must be exercised for a verdict",
        integerBetween(0, 100),
        0,
      )
      .option("--strict", "also fail on deprecated features and recommendations that are not followed")
      .option("--quiet", "show neither progress nor findings before the summary")
      .option("--known-failing <file>", "YAML list of {name, reason}: findings that are expected and must still occur")
      .option("--write-known-failing <file>", "write such a list of the findings"),
  );
}

async function proxyChatClients(url: string, options: RestOptions): Promise<void> {
  await proxyRestClients(await chatContract(), url, options);
}

async function proxyOwnClients(name: string, url: string, { project, ...options }: OwnOptions): Promise<void> {
  await proxyRestClients(await trafficContract(name, project), url, options);
}

async function proxyRestClients(contract: RestContract, url: string, options: RestOptions): Promise<void> {
  const { name, newestLevel } = contract;
  const { port, host, featureLevel, strain, seed } = options;
  warnBeyondLoopback(host, "Anyone who can reach it can also reach the server behind it.");
  const { proxyRest } = await import("../../traffic/rest/proxy-rest.js");
  await proxyAndReport(`proxy ${name}`, options, async (judging) => {
    const proxy = await proxyRest(contract, {
      ...judging,
      url,
      port,
      host,
      ...(featureLevel === undefined ? {} : { level: featureLevel }),
      ...(strain === undefined ? {} : { strain: { seed: resolveSeed(seed) } }),
    });
    const strained = proxy.seed === undefined ? "" : `, strained with --seed ${proxy.seed}`;
    const level = newestLevel === 0 ? "" : `, feature level ${proxy.level}`;
    const line = `${`${name} proxy`.padEnd(12)} ${proxy.apiUrl} before ${url}${level}${strained}\n`;
    return { ...proxy, line };
  });
}

async function proxyDaemonClients(address: string, options: DaemonOptions): Promise<void> {
  const { host, socket } = options;
  const port = options.port ?? (socket === undefined ? defaultDaemonPort : undefined);
  requirePort(host, port);
  warnBeyondLoopback(host, "Anyone who can reach it can also reach the daemon behind it.");
  const { proxyDaemon } = await import("../../traffic/rpc/proxy-daemon.js");
  await proxyAndReport("proxy daemon", options, async (judging) => {
    const where = { host, ...(port === undefined ? {} : { port }), ...(socket === undefined ? {} : { socket }) };
    const proxy = await proxyDaemon({ ...judging, ...where, address, names: serviceNames(options) });
    return { ...proxy, line: proxy.addresses.map((own) => `daemon proxy ${own} before ${address}\n`).join("") };
  });
}
