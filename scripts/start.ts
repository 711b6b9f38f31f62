import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createChatReference } from "../reference/chat/create-chat-reference.js";
import { createDaemonReference } from "../reference/daemon/create-daemon-reference.js";
import { createLogger } from "../reference/logging/create-logger.js";
import { untilStopped } from "../src/cli/stop-signals.js";
import type { DaemonCall } from "../src/daemon/index.js";
import { createMocks } from "../src/mock/create-mocks.js";
import { findDrift } from "./generate/drift.js";
import { contractStages } from "./lint/contract-stages.js";
import { runScript } from "./run-script.js";
import { runStages } from "./stages/run-stages.js";
import { type Servers, verifyReferences } from "./verify-references.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const ports = { chatMock: 4010, chatReference: 4011, daemonMock: 4020, daemonReference: 4021 };
const freePorts: typeof ports = { chatMock: 0, chatReference: 0, daemonMock: 0, daemonReference: 0 };

// Checks both contracts and the generated code, serves both mocks and both reference implementations, verifies the reference
// implementations, and prints how to call all four servers. With --once it exits after the verification.
await runScript(
  async (options) => {
    const failed = await runStages([
      ...contractStages,
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
    if (failed.length > 0) throw new Error(`servers not started; failed checks: ${failed.join(", ")}`);
    const once = options.has("--once");
    const opened: { readonly close: () => Promise<void> }[] = [];
    try {
      const at = once ? freePorts : ports;
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
      const servers = { chat, daemon, daemonLog };
      await verifyReferences(servers);
      if (once) process.stdout.write("\nAll checks passed. Without --once, the four servers keep running.\n");
      else await untilStopped(opened.splice(0), () => void process.stdout.write(howToCall(mocks, servers)));
    } finally {
      await Promise.all(opened.map((server) => server.close()));
    }
  },
  ["--once"],
);

function howToCall(mocks: Awaited<ReturnType<typeof createMocks>>, { chat, daemon, daemonLog }: Servers): string {
  const [daemonMock = ""] = mocks.daemon.addresses;
  const [daemonUrl = ""] = daemon.addresses;
  return `
chat mock       ${mocks.chat.url}/api/v1
  curl -u me@example.com:key -X DELETE ${mocks.chat.url}/api/v1/users/me/subscriptions \\
    --data-urlencode 'subscriptions=["Denmark"]'

chat server     ${chat.url}/api/v1
  curl ${chat.url}/api/v1/server_settings
  npx accord verify chat ${chat.url}/api/v1 --states ${chat.statesUrl} --html report.html

daemon mock     ${daemonMock}
  curl -H 'Content-Type: application/json' -d '{"id": 7, "selectedOrdinal": 2}' \\
    ${daemonMock}/proxydaemon.v1.ProxySubscriptions/SelectNode

daemon          ${daemonUrl}
  npx buf curl --protocol grpc --http2-prior-knowledge --list-methods ${daemonUrl}
  npx accord verify daemon ${daemonUrl} --log-file ${daemonLog}

Documentation: generated/chat/docs/index.html and docs/README.md. Stop with Ctrl+C.
`;
}
