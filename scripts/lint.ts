import { codeChecks } from "./checks/code-checks.js";
import { contractChecks } from "./checks/contract-checks.js";
import { runChecks } from "./checks/run-checks.js";
import { root } from "./checks/run-tool.js";
import { skipUnchanged } from "./checks/skip-unchanged.js";
import { runScript } from "./run-script.js";

// Checks the hand-written contracts and the TypeScript; with --contracts, only the contracts. Skips what passed before on the same inputs,
// except in CI and with --no-cache.
await runScript(
  async (options) => {
    const checks = options.has("--contracts") ? contractChecks : [...contractChecks, ...codeChecks];
    const all = options.has("--no-cache") || process.env.CI !== undefined;
    const failed = await runChecks(all ? checks : skipUnchanged(checks, root));
    if (failed.length > 0) throw new Error(`lint failed: ${failed.join(", ")}`);
  },
  ["--contracts", "--no-cache"],
);
