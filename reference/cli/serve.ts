import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { newestLevel } from "../../generated/chat/request-levels.js";
import { UsageError } from "../../src/base/usage-error.js";
import { hostOption, isLoopback, requirePort, warnBeyondLoopback } from "../../src/cli/host-option.js";
import { importOptional } from "../../src/cli/import-optional.js";
import { integerBetween, validText } from "../../src/cli/options.js";
import { untilStopped } from "../../src/cli/stop-signals.js";
import type { DaemonCall } from "../../src/daemon/index.js";
import { originProblem } from "../../src/http/cors.js";
import type { ChatReference } from "../chat/create-chat-reference.js";
import { type LogLevel, logLevels } from "../logging/log-levels.js";
import { databaseOption, parsePath } from "./data-options.js";

const chatPort = 4011;
const maxRequestsPerSecond = 1_000_000;

interface ServeChatOptions {
  readonly port: number;
  readonly host: string;
  readonly data?: string;
  readonly database?: string;
  readonly demo?: true;
  readonly states?: true;
  readonly allowStates?: true;
  readonly featureLevel: number;
  readonly cors?: readonly string[];
  readonly rateLimit?: number;
  readonly logLevel: LogLevel;
}

interface ServeDaemonOptions {
  readonly socket?: string;
  readonly port?: number;
  readonly host: string;
  readonly data?: string;
  readonly allowPrivate?: true;
  readonly logLevel: LogLevel;
}

/** `accord serve chat` and `accord serve daemon`: run a reference server. */
export function serveCommand(): Command {
  const command = new Command("serve").description("Run a stateful reference server.");
  command
    .command("chat")
    .description("Serve the chat API from a database.")
    .option("--port <port>", "TCP port; 0 for any free port", integerBetween(0, 65535), chatPort)
    .addOption(hostOption())
    .option(
      "--data <folder>",
      "folder of the data; without it, all data is lost when the server stops",
      parsePath("a folder"),
    )
    .addOption(
      databaseOption(
        "PostgreSQL database of the data, such as postgres://user@host/name; any number of servers can share it",
      ),
    )
    .option("--demo", "create a sample organization, and print credentials and example requests")
    .option("--states", "let tests set up provider states with POST /states")
    .option("--allow-states", "allow --states with a --host that other machines can reach")
    .option(
      "--feature-level <level>",
      "behave like a server of this level",
      integerBetween(0, newestLevel),
      newestLevel,
    )
    .option("--cors <origin>", "also let web pages from this origin call the server; repeatable", collectOrigins)
    .option("--rate-limit <rate>", "maximum requests per second for each user, such as 10/s", rate)
    .addOption(logLevelOption())
    .addHelpText("after", `\nExample: accord serve chat --demo --data ./chat-data`)
    .action(serveChat);
  command
    .command("daemon")
    .description("Serve the daemon's RPCs over gRPC, gRPC-Web and Connect, from a database.")
    .option("--socket <path>", `Unix socket to listen on (default: ${daemonSocket()})`, parsePath("a socket"))
    .option("--port <port>", "also listen on this TCP port; 0 for any free port", integerBetween(0, 65535))
    .addOption(hostOption())
    .option(
      "--data <folder>",
      "folder of the data; without it, all data is lost when the daemon stops",
      parsePath("a folder"),
    )
    .option("--allow-private", "also fetch subscriptions from loopback, private and link-local addresses")
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      `
Only the user who starts the daemon can use its socket. Every user of this machine can use its TCP port.

Example: accord serve daemon --socket /tmp/daemon.sock
         curl --unix-socket /tmp/daemon.sock --json '{"url":"https://example.org/subscription"}' \\
           http://localhost/proxydaemon.v1.ProxySubscriptions/PreviewImport`,
    )
    .action(serveDaemon);
  return command;
}

async function serveChat(options: ServeChatOptions): Promise<void> {
  const { data, database, demo, states, allowStates, cors, rateLimit, logLevel, ...given } = options;
  if (states && !allowStates && !isLoopback(given.host)) {
    throw new UsageError(
      `--states lets every caller create accounts and read their keys, and other machines can reach ${given.host}. Add --allow-states if they may`,
    );
  }
  warnBeyondLoopback(given.host, "It is plain HTTP, so API keys can be read in transit.");
  const { createChatReference, createLogger, fillDemo } = await importOptional("The chat server", async () => {
    const [server, logging, filling] = await Promise.all([
      import("../chat/create-chat-reference.js"),
      import("../logging/create-logger.js"),
      import("../chat/demo/fill-demo.js"),
    ]);
    return { ...server, ...logging, ...filling };
  });
  const server = await createChatReference({
    ...given,
    states: states ?? false,
    logger: createLogger(logLevel),
    dataFolder: data,
    databaseUrl: database,
    origins: cors,
    rateLimit,
  });
  const shown = demo ? await fillDemo(server.services, server.url).catch(closeAndRethrow(server)) : "";
  await untilStopped([server], () => process.stdout.write(addressLines(server, states ?? false) + shown));
}

async function serveDaemon({ data, socket, logLevel, ...given }: ServeDaemonOptions): Promise<void> {
  const { createDaemonReference, createLogger } = await importOptional("The daemon", async () => {
    const [daemon, logging] = await Promise.all([
      import("../daemon/create-daemon-reference.js"),
      import("../logging/create-logger.js"),
    ]);
    return { ...daemon, ...logging };
  });
  requirePort(given.host, given.port);
  warnBeyondLoopback(given.host, "It does not authenticate callers.");
  const logger = createLogger<DaemonCall>(logLevel);
  // By default, Node prints the message and stack of the error, which may contain the URL of a subscription.
  process.on("uncaughtException", (error) => {
    logger.fault(error, "process");
    process.exit(1);
  });
  const daemon = await createDaemonReference({
    ...given,
    socket: socket ?? daemonSocket(),
    logger,
    dataFolder: data,
  });
  const where = daemon.addresses.map((address) => `daemon  ${address}\n`).join("");
  await untilStopped([daemon], () => process.stdout.write(where));
}

/** The default socket path, in the user's runtime folder or else the temporary folder. */
function daemonSocket(): string {
  return join(process.env.XDG_RUNTIME_DIR || tmpdir(), "accord-daemon.sock");
}

function logLevelOption(): Option {
  return new Option("--log-level <level>", "what to log to stderr, as lines of JSON")
    .choices(logLevels)
    .default("info");
}

/** Closes the server, then rethrows the error. */
function closeAndRethrow(server: ChatReference): (error: unknown) => Promise<never> {
  return async (error) => {
    await server.close();
    throw error;
  };
}

function addressLines({ url, statesUrl }: ChatReference, states: boolean): string {
  return `chat server  ${url}/api/v1\n${states ? `chat states  ${statesUrl}\n` : ""}`;
}

const parseOrigin = validText(originProblem);

/** Parses one more `--cors`. */
function collectOrigins(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, parseOrigin(text)];
}

function rate(text: string): number {
  const [, digits] = /^(\d{1,7})\/s$/.exec(text) ?? [];
  const value = Number(digits);
  if (value >= 1 && value <= maxRequestsPerSecond) return value;
  throw new InvalidArgumentError(
    `It must be a number of requests per second from 1 to ${maxRequestsPerSecond}, such as 10/s.`,
  );
}
