import { codeStages } from "./lint/code-stages.js";
import { contractStages } from "./lint/contract-stages.js";
import { runScript } from "./run-script.js";
import { runStages } from "./stages/run-stages.js";

// Checks the hand-written contracts and the TypeScript; with --contracts, only the contracts.
await runScript(
  async (options) => {
    const failed = await runStages(options.has("--contracts") ? contractStages : [...contractStages, ...codeStages]);
    if (failed.length > 0) throw new Error(`lint failed: ${failed.join(", ")}`);
  },
  ["--contracts"],
);
