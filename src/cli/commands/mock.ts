import { Command } from "commander";
import type { DaemonServer } from "../../daemon/server/create-daemon-server.js";
import type { Listening } from "../../listen.js";
import { integerBetween } from "../options.js";
import { untilStopped } from "../stop-signals.js";

const chatPort = 4010;
const daemonPort = 4020;
const port = integerBetween(0, 65535);

/** `accord mock [chat|daemon]`: serve one mock, or both. What a command needs is loaded when it runs, not when another one does. */
export function mockCommand(): Command {
  const command = new Command("mock")
    .description("Serve the contracts' examples: a stateless chat server, a daemon, or both.")
    .addHelpText(
      "after",
      `\nWithout a subcommand both mocks are served: chat on port ${chatPort}, the daemon on port ${daemonPort}.`,
    )
    .action(async () => {
      const { createMocks } = await import("../../mock/create-mocks.js");
      const { chat, daemon } = await createMocks({ chat: chatPort, daemon: daemonPort });
      await untilStopped([chat, daemon], () => print(whereChat(chat) + whereDaemon(daemon)));
    });
  command
    .command("chat")
    .description("Serve the chat API from the examples of the contract.")
    .option("--port <port>", "TCP port on 127.0.0.1; 0 takes a free one", port, chatPort)
    .addHelpText(
      "after",
      `
A request that equals a case of the contract gets the response of that case; any other correct request gets the first example
of success. Header Prefer: example=<case> or code=<status> picks another documented response.

Example: curl -u me@example.com:key -X DELETE http://127.0.0.1:${chatPort}/api/v1/users/me/subscriptions \\
           --data-urlencode 'subscriptions=["Denmark"]'`,
    )
    .action(async (options: { port: number }) => {
      const { createChatMock } = await import("../../mock/chat/create-chat-mock.js");
      const mock = await createChatMock(options);
      await untilStopped([mock], () => print(whereChat(mock)));
    });
  command
    .command("daemon")
    .description("Serve the daemon's RPCs from proto/cases, on gRPC, gRPC-Web and Connect.")
    .option(
      "--port <port>",
      `TCP port on 127.0.0.1; 0 takes a free one (default: ${daemonPort} without --socket)`,
      port,
    )
    .option("--socket <path>", "Unix socket to listen on, with or without a TCP port")
    .addHelpText(
      "after",
      `
A request that equals a case of the contract gets what that case says; any other gets the first case of success. Request
metadata prefer: case=<name> picks any case of the RPC.

Example: curl --json '{"id":1,"selectedOrdinal":2}' http://127.0.0.1:${daemonPort}/daemon.v1.ProxySubscriptions/SelectNode`,
    )
    .action(async ({ port: tcpPort, socket }: { port?: number; socket?: string }) => {
      const address =
        socket === undefined
          ? { port: tcpPort ?? daemonPort }
          : { socket, ...(tcpPort === undefined ? {} : { port: tcpPort }) };
      const { createDaemonMock } = await import("../../mock/daemon/create-daemon-mock.js");
      const mock = await createDaemonMock(address);
      await untilStopped([mock], () => print(whereDaemon(mock)));
    });
  return command;
}

function print(text: string): void {
  process.stdout.write(text);
}

function whereChat({ url }: Listening): string {
  return `chat mock    ${url}/api/v1\n`;
}

function whereDaemon({ addresses }: DaemonServer): string {
  return addresses.map((address) => `daemon mock  ${address}\n`).join("");
}
