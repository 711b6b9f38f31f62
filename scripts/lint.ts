import { codeChecks } from "./checks/code-checks.js";
import { contractChecks } from "./checks/contract-checks.js";
import { runChecks } from "./checks/run-checks.js";
import { runScript } from "./run-script.js";

// Checks the hand-written contracts and the TypeScript; with --contracts, only the contracts.
await runScript(
  async (options) => {
    const failed = await runChecks(options.has("--contracts") ? contractChecks : [...contractChecks, ...codeChecks]);
    if (failed.length > 0) throw new Error(`lint failed: ${failed.join(", ")}`);
  },
  ["--contracts"],
);
