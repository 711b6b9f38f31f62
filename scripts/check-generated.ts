import { fileURLToPath } from "node:url";
import { findDrift } from "./generate/drift.js";
import { runScript } from "./run-script.js";

// Fails when a generated file is not what the contracts give.
await runScript(async () => {
  const drift = await findDrift(fileURLToPath(new URL("..", import.meta.url)));
  if (drift.length > 0) throw new Error(`${drift.join("\n")}\nMend with: npm run generate`);
  process.stdout.write("generated code is current\n");
});
