import { fileURLToPath } from "node:url";
import { untilStopped } from "../src/cli/until-stopped.js";
import { createMocks } from "../src/mock/create-mocks.js";
import { findDrift } from "./generate/drift.js";
import { contractStages } from "./lint/contract-stages.js";
import { runScript } from "./run-script.js";
import { runStages } from "./stages/run-stages.js";

const root = fileURLToPath(new URL("..", import.meta.url));

// Checks both contracts and the generated code, serves both mocks, and says how to call them. With --once it stops after that.
await runScript(
  async (options) => {
    const failed = await runStages([
      ...contractStages,
      {
        name: "generated code is current",
        run: async () => {
          const drift = await findDrift(root);
          return drift.length === 0
            ? { ok: true }
            : { ok: false, output: `${drift.join("\n")}\nMend with: npm run generate` };
        },
      },
    ]);
    if (failed.length > 0) throw new Error(`not served, because of: ${failed.join(", ")}`);
    const once = options.has("--once");
    const { chat, daemon } = await createMocks(once ? { chat: 0, daemon: 0 } : { chat: 4010, daemon: 4020 });
    const tell = () => void process.stdout.write(howToCall(chat.url, daemon.addresses[0] ?? ""));
    if (!once) return untilStopped([chat, daemon], tell);
    tell();
    await Promise.all([chat.close(), daemon.close()]);
  },
  ["--once"],
);

function howToCall(chat: string, daemon: string): string {
  return `
chat mock    ${chat}/api/v1
  curl -u me@example.com:key -X DELETE ${chat}/api/v1/users/me/subscriptions \\
    --data-urlencode 'subscriptions=["Denmark"]'
  curl -u me@example.com:key -H 'Prefer: code=400' '${chat}/api/v1/messages?anchor=newest&num_before=5&num_after=0'

daemon mock  ${daemon}
  curl -H 'Content-Type: application/json' -d '{"id": 7, "selectedOrdinal": 2}' \\
    ${daemon}/daemon.v1.ProxySubscriptions/SelectNode
  npx buf curl --protocol grpc --http2-prior-knowledge --list-methods ${daemon}

Documentation: generated/chat/docs/index.html. Stop with Ctrl+C.
`;
}
