import { fileURLToPath } from "node:url";
import { generatedPaths } from "./generate/generated-paths.js";
import { isKnownResult } from "./generate/generation-cache.js";
import { runScript } from "./run-script.js";

const root = fileURLToPath(new URL("..", import.meta.url));

// Writes `generated/` and the generated pages of `docs/` from the contracts if these files or their sources have changed.
await runScript(async () => {
  if (await isKnownResult(root)) {
    process.stdout.write("nothing has changed since the last generation\n");
    return;
  }
  process.stdout.write("generating from openapi/ and proto/\n");
  // Loading the generators takes longer than recognizing a known result.
  const { generateAll } = await import("./generate/all.js");
  await generateAll(root);
  process.stdout.write(`wrote ${generatedPaths.join(", ")}\n`);
});
