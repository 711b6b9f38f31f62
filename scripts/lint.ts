import { codeStages } from "./lint/code-stages.js";
import { contractStages } from "./lint/contract-stages.js";
import { runScript } from "./run-script.js";
import { runStages } from "./stages/run-stages.js";

// Checks the hand-written contracts and the TypeScript.
await runScript(async () => {
  const failed = await runStages([...contractStages, ...codeStages]);
  if (failed.length > 0) throw new Error(`lint failed: ${failed.join(", ")}`);
});
