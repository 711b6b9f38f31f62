import { fileURLToPath } from "node:url";
import { generateAll } from "./generate/all.js";
import { runScript } from "./run-script.js";

// Writes `generated/` and the generated pages of `docs/` from the contracts.
await runScript(() => generateAll(fileURLToPath(new URL("..", import.meta.url))));
