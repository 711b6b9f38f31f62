import { runTool } from "../stages/run-tool.js";
import type { Stage } from "../stages/stage.js";

const reporter = process.env.GITHUB_ACTIONS === "true" ? ["--reporter=github"] : [];

/** The checks of the TypeScript. */
export const codeStages: readonly Stage[] = [
  { name: "Biome", run: () => runTool("@biomejs/biome/bin/biome", "check", "--error-on-warnings", ...reporter, ".") },
  { name: "TypeScript", run: () => runTool("typescript/bin/tsc", "--noEmit", "-p", "tsconfig.json") },
];
