import { fileURLToPath } from "node:url";
import { generateAll, generatedPaths } from "./generate/all.js";
import { runScript } from "./run-script.js";

// Writes `generated/` and the generated pages of `docs/` from the contracts.
await runScript(async () => {
  process.stdout.write("generating from openapi/ and proto/\n");
  await generateAll(fileURLToPath(new URL("..", import.meta.url)));
  process.stdout.write(`wrote ${generatedPaths.join(", ")}\n`);
});
