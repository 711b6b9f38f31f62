import { Command, Option } from "commander";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { maxSeed, resolveSeed } from "../../verify/run-options.js";
import { hostOption, requirePort, warnBeyondLoopback } from "../host-option.js";
import { type JudgeCommandOptions, proxyAndReport } from "../judge-and-report.js";
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
import { withReportFiles } from "./report-options.js";

const defaultPort = 4015;
const defaultRpcPort = 4025;

interface RestOptions extends JudgeCommandOptions {
  readonly port?: number;
  readonly host: string;
  readonly featureLevel?: number;
  readonly strain?: true;
  readonly seed?: number;
}

interface RpcOptions extends JudgeCommandOptions, ServiceNameOptions {
  readonly port?: number;
  readonly host: string;
  readonly socket?: string;
}

interface OwnOptions extends RestOptions, RpcOptions {
  readonly project?: string;
}

/** `accord proxy`: forward the calls of clients to a server, and judge them by the contract. */
export function proxyCommand(): Command {
  const command = new Command("proxy")
    .description("Forward the calls of a client, in any language, to its server, and check both against the contract.")
    .argument("<name>", "the contract: chat, daemon, or one of accord.yaml")
    .argument(
      "<address>",
      "URL of the server, such as http://127.0.0.1:8080/v1; for Protobuf also unix:/path/to/socket",
    )
    .addOption(projectOption());
  return withJudgeOptions(withRpcOptions(withRestOptions(withListenOptions(command))))
    .addHelpText(
      "after",
      `
Run the tests of your client against the proxy, then press Ctrl+C for the verdict.
A proxy of RPCs takes gRPC, gRPC-Web and Connect.
${exitCodesHelp}\n\nExample: accord proxy shop http://127.0.0.1:8080/v1 --port ${defaultPort} --html clients.html`,
    )
    .action(proxyClients);
}

/** The options of contracts in OpenAPI. */
function withRestOptions(command: Command): Command {
  return command
    .option(
      "--feature-level <level>",
      "apply the contract of this level (default: the level that the server reports)",
      integerBetween(0, maxLevel),
    )
    .option("--strain", "change responses as a server may, to find out what the client does not tolerate")
    .option("--seed <number>", "repeat the changes of an earlier run", integerBetween(0, maxSeed));
}

/** The options of contracts in Protobuf. */
function withRpcOptions(command: Command): Command {
  return command
    .option("--socket <path>", "Unix socket to listen on, with or without a TCP port")
    .addOption(packageOption())
    .addOption(serviceOption());
}

function withListenOptions(command: Command): Command {
  return command
    .option(
      "--port <port>",
      `TCP port of the proxy; 0 for any free port (default: ${defaultPort}; of RPCs ${defaultRpcPort} without --socket)`,
      integerBetween(0, 65535),
    )
    .addOption(hostOption())
    .addOption(new Option("--har <file>", "record the traffic as HAR 1.2, with secrets masked"));
}

/** The help text of the exit codes of commands that judge traffic. */
export const exitCodesHelp =
  "\nExit codes: 0 nothing is broken, 1 the client or the server breaks the contract,\n" +
  "2 nothing was judged or the command could not run, 3 nothing is broken, but too\n" +
  "few rules were exercised (see --min-exercised).";

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

async function proxyClients(name: string, address: string, options: OwnOptions): Promise<void> {
  const { kind, contract } = await loadNamedContract(name, options.project, { runsCode: false });
  if (kind === "rest") await warnUnjudgedBodies(contract.document);
  requireOwnOptions(name, kind, options);
  if (kind === "rest") return proxyRestClients(contract, address, options);
  await proxyRpcClients(contract, address, options);
}

async function proxyRestClients(contract: RestContract, url: string, options: RestOptions): Promise<void> {
  const { name, newestLevel } = contract;
  const { port = defaultPort, host, featureLevel, strain, seed } = options;
  warnBeyondLoopback(host, "Anyone who can reach it can also reach the server behind it.");
  const { proxyRest } = await import("../../traffic/rest/proxy-rest.js");
  await proxyAndReport(`proxy ${name}`, options, async (judging) => {
    const proxy = await proxyRest(contract, {
      ...judging,
      url,
      port,
      host,
      level: featureLevel,
      strain: strain && { seed: resolveSeed(seed) },
    });
    const strained = proxy.seed === undefined ? "" : `, strained with --seed ${proxy.seed}`;
    const level = newestLevel === 0 ? "" : `, feature level ${proxy.level}`;
    const line = `${`${name} proxy`.padEnd(12)} ${proxy.apiUrl} before ${url}${level}${strained}\n`;
    return { ...proxy, line };
  });
}

async function proxyRpcClients(contract: RpcContract, address: string, options: RpcOptions): Promise<void> {
  const { host, socket } = options;
  const port = options.port ?? (socket === undefined ? defaultRpcPort : undefined);
  requirePort(host, port);
  warnBeyondLoopback(host, "Anyone who can reach it can also reach the server behind it.");
  const { proxyRpc } = await import("../../traffic/rpc/proxy-rpc.js");
  await proxyAndReport(`proxy ${contract.name}`, options, async (judging) => {
    const where = { host, port, socket };
    const proxy = await proxyRpc(contract, { ...judging, ...where, address, names: serviceNames(options) });
    const line = proxy.addresses.map((own) => `${contract.name} proxy ${own} before ${address}\n`).join("");
    return { ...proxy, line };
  });
}
