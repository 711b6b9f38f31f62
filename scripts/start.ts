import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createChatReference } from "../reference/chat/create-chat-reference.js";
import { createDaemonReference } from "../reference/daemon/create-daemon-reference.js";
import { createLogger } from "../reference/logging/create-logger.js";
import { untilStopped } from "../src/cli/stop-signals.js";
import type { DaemonCall } from "../src/daemon/index.js";
import { contractChecks } from "./checks/contract-checks.js";
import { runChecks } from "./checks/run-checks.js";
import { createMocks } from "./create-mocks.js";
import { findDrift } from "./generate/drift.js";
import { runScript } from "./run-script.js";
import { type Servers, verifyReferences } from "./verify-references.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const ports = { chatMock: 4010, chatReference: 4011, daemonMock: 4020, daemonReference: 4021 };
const freePorts: typeof ports = { chatMock: 0, chatReference: 0, daemonMock: 0, daemonReference: 0 };

type Mocks = Awaited<ReturnType<typeof createMocks>>;
type Closable = { readonly close: () => Promise<void> };

// Serves both mocks and both reference implementations, prints how to call all four servers, then checks both contracts and the generated
// code, and verifies the reference implementations. With --once it exits after the verdict; otherwise it serves until it is stopped.
await runScript(
  async (options) => {
    const once = options.has("--once");
    const opened: Closable[] = [];
    try {
      const { mocks, servers } = await serve(once ? freePorts : ports, opened);
      if (once) {
        await checkAll(servers);
        process.stdout.write("\nAll checks passed. Without --once, the four servers keep running.\n");
        return;
      }
      const stop = new AbortController();
      let checked = Promise.resolve();
      const stopping: Closable = {
        close: async () => {
          stop.abort();
          await checked;
        },
      };
      await untilStopped([stopping, ...opened.splice(0)], () => {
        process.stdout.write(howToCall(mocks, servers));
        checked = report(checkAll(servers, stop.signal), stop.signal);
      });
    } finally {
      await Promise.all(opened.map((server) => server.close()));
    }
  },
  ["--once"],
);

/** Starts all servers. What it starts is added to `opened` at once, so that the caller can close it if a later one fails. */
async function serve(at: typeof ports, opened: Closable[]): Promise<{ mocks: Mocks; servers: Servers }> {
  const mocks = await createMocks({ chat: at.chatMock, daemon: at.daemonMock });
  opened.push(mocks.chat, mocks.daemon);
  const chat = await createChatReference({ port: at.chatReference, states: true });
  opened.push(chat);
  const folder = mkdtempSync(join(tmpdir(), "accord-start-"));
  opened.push({ close: async () => rmSync(folder, { recursive: true, force: true }) });
  const daemonLog = join(folder, "daemon.log");
  const logger = createLogger<DaemonCall>("info", daemonLog);
  const daemon = await createDaemonReference({ port: at.daemonReference, allowPrivate: true, logger });
  opened.push(daemon);
  return { mocks, servers: { chat, daemon, daemonLog } };
}

/** Checks the contracts and the generated code, and verifies both references. Rejects if something is broken. */
async function checkAll(servers: Servers, signal?: AbortSignal): Promise<void> {
  const failed = await runChecks([
    ...contractChecks,
    {
      name: "generated code is up to date",
      run: async () => {
        const drift = await findDrift(root);
        return drift.length === 0
          ? { ok: true }
          : { ok: false, output: `${drift.join("\n")}\nFix with: npm run generate` };
      },
    },
  ]);
  if (signal?.aborted) return;
  if (failed.length > 0) throw new Error(`references not verified; failed checks: ${failed.join(", ")}`);
  await verifyReferences(servers, signal);
}

/** Prints the verdict of the checks while the servers run. A run that was stopped has none. */
async function report(checks: Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await checks;
    if (!signal.aborted)
      process.stdout.write("\nAll checks passed. The four servers keep running; stop with Ctrl+C.\n");
  } catch (error) {
    if (signal.aborted) return;
    process.stderr.write(
      `\n${error instanceof Error ? error.message : String(error)}\nThe four servers keep running.\n`,
    );
    process.exitCode = 1;
  }
}

function howToCall(mocks: Mocks, { chat, daemon, daemonLog }: Servers): string {
  const [daemonMock = ""] = mocks.daemon.addresses;
  const [daemonUrl = ""] = daemon.addresses;
  return `
chat mock       ${mocks.chat.url}/api/v1
  curl -u me@example.com:key -X DELETE ${mocks.chat.url}/api/v1/users/me/subscriptions \\
    --data-urlencode 'subscriptions=["Denmark"]'

chat server     ${chat.url}/api/v1
  curl ${chat.url}/api/v1/server_settings
  npx --no-install accord verify chat ${chat.url}/api/v1 --states ${chat.statesUrl} --html report.html

daemon mock     ${daemonMock}
  curl -H 'Content-Type: application/json' -d '{"id": 7, "selectedOrdinal": 2}' \\
    ${daemonMock}/proxydaemon.v1.ProxySubscriptions/SelectNode

daemon          ${daemonUrl}
  npx --no-install buf curl --protocol grpc --http2-prior-knowledge --list-methods ${daemonUrl}
  npx --no-install accord verify daemon ${daemonUrl} --disposable --log-file ${daemonLog}

Documentation: npm run docs:dev, or docs/README.md. Stop with Ctrl+C.

checking the contracts and verifying the two servers that are not mocks
`;
}
