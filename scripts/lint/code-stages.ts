import { runTool } from "../stages/run-tool.js";
import type { Stage } from "../stages/stage.js";

const reporter = process.env.GITHUB_ACTIONS === "true" ? ["--reporter=github"] : [];

/** The checks of the TypeScript and of the prose. */
export const codeStages: readonly Stage[] = [
  { name: "Biome", run: () => runTool("@biomejs/biome/bin/biome", "check", "--error-on-warnings", ...reporter, ".") },
  // Reads the results for unchanged files from node_modules/.cache: 2.5 s, or 12 s without them.
  { name: "Spelling", run: () => runTool("cspell/bin.mjs", "lint", "--no-progress", "--no-summary") },
  { name: "TypeScript", run: () => runTool("typescript-7/bin/tsc", "--noEmit", "-p", "tsconfig.json") },
  {
    name: "TypeScript for browsers",
    run: () => runTool("typescript-7/bin/tsc", "--noEmit", "-p", "src/verify/report/html/page"),
  },
];
