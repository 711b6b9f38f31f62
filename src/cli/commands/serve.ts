import { Command, InvalidArgumentError, Option } from "commander";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import type { ChatReference } from "../../../reference/chat/create-chat-reference.js";
import { type LogLevel, logLevels } from "../../../reference/chat/http/log-levels.js";
import { importOptional } from "../import-optional.js";
import { integerBetween } from "../parse-integer.js";
import { untilStopped } from "../until-stopped.js";

const chatPort = 4011;
const mostRequests = 1_000_000;

interface ServeChatOptions {
  readonly port: number;
  readonly data?: string;
  readonly demo?: true;
  readonly states?: true;
  readonly featureLevel: number;
  readonly rateLimit?: number;
  readonly logLevel: LogLevel;
}

/** `accord serve chat`: run the reference implementation of the chat service. */
export function serveCommand(): Command {
  const command = new Command("serve").description("Run a reference implementation, which keeps what it is told.");
  command
    .command("chat")
    .description("Serve the chat API from a database.")
    .option("--port <port>", "TCP port on 127.0.0.1; 0 takes a free one", integerBetween(0, 65535), chatPort)
    .option("--data <folder>", "where to keep the data; without it, everything is gone when the server stops", folder)
    .option("--demo", "fill an organization, and print credentials and requests to try")
    .option("--states", "let tests put the server into provider states with POST /states")
    .option("--feature-level <level>", "behave as a server of this level", integerBetween(0, newestLevel), newestLevel)
    .option("--rate-limit <rate>", "most requests a second for each user, such as 10/s", rate)
    .addOption(
      new Option("--log-level <level>", "what to log to stderr, as lines of JSON").choices(logLevels).default("info"),
    )
    .addHelpText("after", `\nExample: accord serve chat --demo --data ./chat-data`)
    .action(serveChat);
  return command;
}

async function serveChat({ data, demo, states, rateLimit, logLevel, ...given }: ServeChatOptions): Promise<void> {
  const { createChatReference, createLogger, fillDemo } = await importOptional("The chat server", async () => {
    const [server, logging, filling] = await Promise.all([
      import("../../../reference/chat/create-chat-reference.js"),
      import("../../../reference/chat/http/logger.js"),
      import("../../../reference/chat/demo/fill-demo.js"),
    ]);
    return { ...server, ...logging, ...filling };
  });
  const server = await createChatReference({
    ...given,
    states: states ?? false,
    logger: createLogger(logLevel),
    ...(data === undefined ? {} : { dataFolder: data }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  });
  const shown = demo ? await fillDemo(server.services, server.url).catch(stopping(server)) : "";
  await untilStopped([server], () => process.stdout.write(where(server, states ?? false) + shown));
}

/** Stops the server before the error ends the command. */
function stopping(server: ChatReference): (error: unknown) => Promise<never> {
  return async (error) => {
    await server.close();
    throw error;
  };
}

function where({ url, statesUrl }: ChatReference, states: boolean): string {
  return `chat server  ${url}/api/v1\n${states ? `chat states  ${statesUrl}\n` : ""}`;
}

function folder(text: string): string {
  if (text === "") throw new InvalidArgumentError("It must be the path of a folder.");
  return text;
}

function rate(text: string): number {
  const [, digits] = /^(\d{1,7})\/s$/.exec(text) ?? [];
  const value = Number(digits);
  if (value >= 1 && value <= mostRequests) return value;
  throw new InvalidArgumentError(`It must be a number of requests a second from 1 to ${mostRequests}, such as 10/s.`);
}
