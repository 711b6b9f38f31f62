import { Command } from "commander";
import type { DaemonServer } from "../../daemon/server/daemon-server.js";
import type { Listening } from "../../listen.js";
import { hostOption, requirePort, warnBeyondLoopback } from "../host-option.js";
import { integerBetween } from "../options.js";
import { untilStopped } from "../stop-signals.js";

const chatPort = 4010;
const daemonPort = 4020;
const port = integerBetween(0, 65535);
const risk = "It accepts any credentials, and returns only the examples of the contract.";

/** `accord mock [chat|daemon]`: serve one mock or both. Each command loads its modules only when it runs. */
export function mockCommand(): Command {
  const command = new Command("mock")
    .description("Serve the examples of the contracts: a stateless chat server, a daemon, or both.")
    .enablePositionalOptions()
    .addOption(hostOption())
    .addHelpText(
      "after",
      `\nWithout a subcommand, serves both mocks: chat on port ${chatPort}, the daemon on port ${daemonPort}.`,
    )
    .action(async ({ host }: { host: string }) => {
      const { createMocks } = await import("../../mock/create-mocks.js");
      warnBeyondLoopback(host, risk);
      const { chat, daemon } = await createMocks({ chat: chatPort, daemon: daemonPort, host });
      await untilStopped([chat, daemon], () => print(chatLine(chat) + daemonLines(daemon)));
    });
  command
    .command("chat")
    .description("Serve the chat API from the examples of the contract.")
    .option("--port <port>", "TCP port; 0 for any free port", port, chatPort)
    .addOption(hostOption())
    .addHelpText(
      "after",
      `
A request that equals a case of the contract gets the response of that case; any other valid request gets the first successful
example. The header Prefer: example=<case> or code=<status> selects another documented response.

Example: curl -u me@example.com:key -X DELETE http://127.0.0.1:${chatPort}/api/v1/users/me/subscriptions \\
           --data-urlencode 'subscriptions=["Denmark"]'`,
    )
    .action(async (options: { port: number; host: string }) => {
      const { createChatMock } = await import("../../mock/create-chat-mock.js");
      warnBeyondLoopback(options.host, risk);
      const mock = await createChatMock(options);
      await untilStopped([mock], () => print(chatLine(mock)));
    });
  command
    .command("daemon")
    .description("Serve the daemon's RPCs from proto/cases, on gRPC, gRPC-Web and Connect.")
    .option("--port <port>", `TCP port; 0 for any free port (default: ${daemonPort} without --socket)`, port)
    .addOption(hostOption())
    .option("--socket <path>", "Unix socket to listen on, with or without a TCP port")
    .addHelpText(
      "after",
      `
A request that equals a case of the contract gets the reply or error of that case; any other gets the first successful case.
Request metadata prefer: case=<name> selects any case of the RPC.

Example: curl --json '{"id":1,"selectedOrdinal":2}' http://127.0.0.1:${daemonPort}/proxydaemon.v1.ProxySubscriptions/SelectNode`,
    )
    .action(async ({ port: tcpPort, socket, host }: { port?: number; socket?: string; host: string }) => {
      const address =
        socket === undefined
          ? { port: tcpPort ?? daemonPort }
          : { socket, ...(tcpPort === undefined ? {} : { port: tcpPort }) };
      requirePort(host, address.port);
      const { createDaemonMock } = await import("../../mock/daemon/create-daemon-mock.js");
      warnBeyondLoopback(host, risk);
      const mock = await createDaemonMock({ ...address, host });
      await untilStopped([mock], () => print(daemonLines(mock)));
    });
  return command;
}

function print(text: string): void {
  process.stdout.write(text);
}

function chatLine({ url }: Listening): string {
  return `chat mock    ${url}/api/v1\n`;
}

function daemonLines({ addresses }: DaemonServer): string {
  return addresses.map((address) => `daemon mock  ${address}\n`).join("");
}
