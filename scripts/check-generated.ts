import { fileURLToPath } from "node:url";
import { findDrift } from "./generate/drift.js";
import { runScript } from "./run-script.js";

// Fails if a generated file is out of date.
await runScript(async () => {
  const drift = await findDrift(fileURLToPath(new URL("..", import.meta.url)));
  if (drift.length > 0) throw new Error(`${drift.join("\n")}\nFix with: npm run generate`);
  process.stdout.write("generated code is up to date\n");
});
