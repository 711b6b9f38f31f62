import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { replaceFiles } from "./replace-files.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Generated files that the compiler does not copy. */
const data = [
  "chat/openapi.yaml",
  "chat/openapi.json",
  "chat/openapi.generators.yaml",
  "chat/conventions.json",
  "chat/cases.json",
  "chat/workflows.json",
  "chat/states.yaml",
  "chat/states.json",
  "chat/validators.js",
  "chat/validators.d.ts",
  "chat/state-validators.js",
  "chat/state-validators.d.ts",
  "daemon/cases.json",
];

// With source maps, errors in tests name lines of the sources. The package does without, as it has no sources.
const sourceMaps = process.argv.includes("--no-source-maps") ? [] : ["--sourceMap"];

const dist = join(root, "dist");
// Beside it, so that source maps name the same paths.
const built = join(root, `dist-new-${process.pid}`);
const startedAt = new Date();
try {
  const compiler = [join(root, "node_modules/typescript-7/bin/tsc"), "-p", "tsconfig.build.json", "--outDir", built];
  execFileSync(process.execPath, [...compiler, ...sourceMaps], { cwd: root, stdio: "inherit" });
  for (const file of data) cpSync(join(root, "generated", file), join(built, "generated", file), { recursive: true });
  // npm makes it executable when it installs the package, but not in a checkout.
  chmodSync(join(built, "reference/cli/main.js"), 0o755);
  replaceFiles(built, dist);
  utimesSync(dist, startedAt, startedAt);
} finally {
  rmSync(built, { recursive: true, force: true });
}
