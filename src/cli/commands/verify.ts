import { Command, InvalidArgumentError, Option } from "commander";
import { maxBlockedMs, watchForLoops } from "../../base/loop-watch.js";
import { parseUrl } from "../../base/parse-url.js";
import { UsageError } from "../../base/usage-error.js";
import { type Depth, depths } from "../../contract/check.js";
import { plainCaller } from "../../contract/rest/conventions.js";
import { listOperations } from "../../contract/rest/operations.js";
import type { RestContract } from "../../contract/rest/rest-contract.js";
import type { RpcContract } from "../../contract/rpc/contract.js";
import { defaultMinExercised } from "../../report/model/run-verdict.js";
import { createSecret, type Secret } from "../../secrets/secret.js";
import { pluralize } from "../../text/format-values.js";
import { visibleLine } from "../../text/visible-text.js";
import type { Shard } from "../../verify/create-selection.js";
import { type Accounts, readAccounts } from "../../verify/rest/accounts.js";
import type { DerivedPlan } from "../../verify/run/at-depth.js";
import type { ServerOptions } from "../../verify/run/run-terms.js";
import { defaultRunOptions, maxRate, maxSeed, maxTimeoutMs } from "../../verify/run-options.js";
import type { RpcProtocol } from "../../wire/rpc-transport.js";
import { type AccessOptions, readCertificate, readToken, rpcAccounts, withAccessOptions } from "../access-options.js";
import { accountHelp } from "../help-of-contract.js";
import { isLoopback } from "../host-option.js";
import { loadNamedContract } from "../load-contract.js";
import { integerBetween, maxLevel } from "../options.js";
import { printMessage } from "../print.js";
import { projectOption } from "../project-contracts.js";
import {
  packageOption,
  requireOwnOptions,
  type ServiceNameOptions,
  serviceNames,
  serviceOption,
} from "../service-options.js";
import { type VerifyCommandOptions, verifyAndReport } from "../verify-and-report.js";
import { withReportFiles } from "./report-options.js";

const protocols = ["grpc", "grpc-web", "connect"] as const satisfies readonly RpcProtocol[];
const maxJobs = 64;

interface RestOptions extends VerifyCommandOptions, AccessOptions {
  readonly states?: string;
  readonly depth?: Depth;
  readonly featureLevel?: number;
  readonly seed?: number;
  readonly value?: Readonly<Record<string, string>>;
}

interface RpcOptions extends VerifyCommandOptions, AccessOptions, ServiceNameOptions {
  readonly states?: string;
  readonly depth?: Depth;
  readonly protocol?: RpcProtocol;
  readonly logFile?: string;
}

interface OwnOptions extends RpcOptions, RestOptions {
  readonly project?: string;
  /** False after `--no-code`. */
  readonly code: boolean;
}

/** `accord verify`: check which rules of a contract a server obeys. */
export function verifyCommand(): Command {
  const command = new Command("verify")
    .description("Check a server, in any language, against every rule of its contract.")
    .argument("<name>", "the contract: chat, daemon, or one of accord.yaml")
    .argument(
      "<address>",
      "URL of the server, such as http://127.0.0.1:8080/v1; for Protobuf also unix:/path/to/socket",
    )
    .option("--no-code", "run no checks in code, from checks/ beside the contract")
    .addOption(projectOption());
  return withCommonOptions(withRpcOptions(withRestOptions(command)))
    .addHelpText(
      "after",
      `\nA server of RPCs must be able to fetch from 127.0.0.1, where cases serve hosts.\n${exitCodesHelp}\n\nExample: accord verify shop http://127.0.0.1:8080/v1 --operation getOrder`,
    )
    .action(verifyServer);
}

/** The options of contracts in OpenAPI. */
function withRestOptions(command: Command): Command {
  command.option(
    "--states <url>",
    "URL that sets up provider states; without it, checks that need a state are skipped",
  );
  return withAccessOptions(command, accountHelp)
    .addOption(
      new Option(
        "--depth <depth>",
        "how much to try of what follows from the document alone (default: normal)",
      ).choices(depths),
    )
    .option(
      "--value <value>",
      "NAME=VALUE: a value of a path, query or header parameter that the server has, such as server_id=main; repeatable",
      givenValue,
    )
    .option(
      "--feature-level <level>",
      "apply the contract of this level (default: the level that the server reports)",
      integerBetween(0, maxLevel),
    )
    .option("--seed <number>", "repeat the random requests of an earlier run", integerBetween(0, maxSeed));
}

/** The options of contracts in Protobuf. */
function withRpcOptions(command: Command): Command {
  return command
    .addOption(new Option("--protocol <protocol>", "protocol of the calls (default: grpc)").choices(protocols))
    .option("--log-file <path>", "the server's log, which checks in code search")
    .addOption(packageOption())
    .addOption(serviceOption());
}

const exitCodesHelp =
  "\nExit codes: 0 every exercised rule is kept, 1 rules are broken, 2 the run could\n" +
  "not start or was stopped, 3 nothing is broken, but too few rules were exercised\n" +
  "for a verdict (see --min-exercised).";

function withCommonOptions(command: Command): Command {
  return withReportFiles(command)
    .option(
      "--only <name>",
      "only checks, rules or operations whose name starts with this; * matches anything; repeatable",
      (name: string, others: readonly string[] = []) => [...others, name],
    )
    .option(
      "--operation <name>",
      "only checks that call nothing but this operation, such as getOrder or 'GET /orders/{id}'; repeatable",
      (name: string, others: readonly string[] = []) => [...others, name],
    )
    .option(
      "--allow-writes",
      "also send what the run removes again, and requests that the server can only refuse (default: only reads)",
    )
    .option("--disposable", "send everything: nothing on this server matters; --states says so, too")
    .option(
      "--exclude <name>",
      "never send this operation or RPC, or run this check; * matches anything; repeatable",
      (name: string, others: readonly string[] = []) => [...others, name],
    )
    .option("--rate <count>", "maximum number of requests per second", integerBetween(1, maxRate))
    .option("--shard <part>", "only one part of the checks, such as 1/4", shard)
    .option("--timings <file>", "JSON report of an earlier run, to make parts that take equally long")
    .option("--jobs <count>", "maximum number of concurrent checks", integerBetween(1, maxJobs), defaultRunOptions.jobs)
    .option(
      "--timeout <ms>",
      "time limit of a call, or of a check for Protobuf",
      integerBetween(1, maxTimeoutMs),
      defaultRunOptions.timeoutMs,
    )
    .option(
      "--restart-wait <seconds>",
      "how long a server that a request ended has to come back; 0 gives up at once",
      integerBetween(0, maxTimeoutMs / 1000),
      defaultRunOptions.restartWaitMs / 1000,
    )
    .option(
      "--min-exercised <percent>",
      `share of the rules that the checks can show that must be exercised for a verdict (default: ${defaultMinExercised}; with accounts: 0)`,
      integerBetween(0, 100),
    )
    .option("--strict", "also fail if the server does not follow a recommendation of the contract")
    .option("--quiet", "show no progress")
    .option("--bail", "stop at the first check that fails")
    .option("--replay <report>", "repeat the failures of a JSON report, with its seed and feature level")
    .option("--watch [path...]", "repeat what did not pass when the server comes back or one of these files changes")
    .option("--known-failing <file>", "YAML list of {name, reason}: checks that are expected to fail and must not pass")
    .option("--write-known-failing <file>", "write such a list of the failed checks");
}

async function verifyServer(
  name: string,
  address: string,
  { project, code: runsCode, ...options }: OwnOptions,
): Promise<void> {
  const { value: values = {} } = options;
  const { kind, contract } = await loadNamedContract(name, project, { runsCode, isDerived: true, values });
  requireOwnOptions(name, kind, options);
  // A run watches its checks itself; one may also loop while the reports are written.
  if (contract.checks !== undefined) watchForLoops(2 * maxBlockedMs, () => {});
  if (kind === "rpc") return verifyRpcServer(contract, address, options);
  await verifyRestServer(contract, address, options);
}

/** The checks of more operations take seconds to derive. */
const longOperations = 500;

async function verifyRestServer(
  contract: RestContract,
  url: string,
  { featureLevel, seed, value, ...common }: RestOptions,
): Promise<void> {
  const { states, account } = common;
  const token = await readToken(common);
  const accounts =
    token === undefined
      ? await givenAccounts(contract, account, states)
      : { [plainCaller(contract.document)]: { secret: token.secret, token } };
  const shared = await serverOptions(url, common);
  const { length } = listOperations(contract.document);
  if (length > longOperations && !common.quiet)
    printMessage(`accord: deriving the checks of ${length.toLocaleString("en-US")} operations`);
  const { verifyRest } = await import("../../verify/rest/verify-rest.js");
  await verifyAndReport(`verify ${contract.name}`, common, url, (options, earlier) =>
    verifyRest(contract, {
      ...{ ...options, ...earlier, ...shared, url, accounts, values: value, onWrites: announceWrites },
      ...(featureLevel === undefined ? {} : { level: featureLevel }),
      ...(seed === undefined ? {} : { seed }),
    }),
  );
}

async function verifyRpcServer(
  contract: RpcContract,
  address: string,
  { protocol = "grpc", logFile, ...given }: RpcOptions,
): Promise<void> {
  const { states } = given;
  if (states !== undefined && contract.states === undefined)
    throw new UsageError(`--states does not apply to ${contract.name}, which has no provider states: omit it`);
  const token = await readToken(given);
  const accounts = token === undefined ? rpcAccounts(given) : {};
  const shared = await serverOptions(address, given);
  const { verifyRpc } = await import("../../verify/rpc/verify-rpc.js");
  await verifyAndReport(`verify ${contract.name}`, given, address, (options) =>
    verifyRpc(contract, {
      ...{ ...options, ...shared, ...accounts, token },
      ...{ address, protocol, names: serviceNames(given), logFile },
    }),
  );
}

/** The options about a server, of whatever kind of contract. Prints a line before a run that may write to another machine. */
async function serverOptions(target: string, options: RestOptions | RpcOptions): Promise<ServerOptions> {
  const { states, depth, header = [] } = options;
  announceWriting(target, options);
  const headers = header.map((one) => one.reveal());
  return { ...(await readCertificate(options)), statesUrl: states, depth, headers, onDerived: announceDerived };
}

/** The accounts of the command line, or else of the environment unless there are states. */
async function givenAccounts(
  contract: RestContract,
  account: readonly Secret[] | undefined,
  states: string | undefined,
): Promise<Accounts | undefined> {
  const { ACCORD_ACCOUNT: known = "" } = process.env;
  const fallback = known === "" || states !== undefined ? undefined : known.split(/\s+/).map(createSecret);
  const given = account ?? fallback;
  return given === undefined ? undefined : readAccounts(given, contract);
}

/** Asks no question, because CI could not answer it. */
function announceWriting(
  target: string,
  { states, disposable, allowWrites }: Pick<RestOptions, "states" | "disposable" | "allowWrites">,
): void {
  const host = parseUrl(target)?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
  const option = [states && "--states", disposable && "--disposable", allowWrites && "--allow-writes"].find(Boolean);
  if (option === undefined || host === "" || isLoopback(host)) return;
  process.stderr.write(`accord: this run writes to ${host}, as ${option} allows\n`);
}

function announceDerived({ checks, requests, mostOfOne, depth }: DerivedPlan): void {
  const most = `at most ${pluralize(requests, "request")}, ${mostOfOne} of them to one operation`;
  printMessage(`${pluralize(checks, "check")} derived from the document: ${most} (--depth ${depth})`);
}

function announceWrites(lines: readonly string[]): void {
  const text = lines.length === 0 ? ["No selected check writes"] : lines;
  for (const line of text) printMessage(visibleLine(line));
}

function givenValue(text: string, others: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError("It must be NAME=VALUE, such as server_id=main or '/orders/{id}=7'.");
  return { ...others, [name]: value };
}

function shard(text: string): Shard {
  const [, index, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const part = { index: Number(index), of: Number(of) };
  if (part.index >= 1 && part.index <= part.of) return part;
  throw new InvalidArgumentError("It must be a part such as 1/4, the first of four.");
}
