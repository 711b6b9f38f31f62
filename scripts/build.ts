import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

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
  "chat/behaviour",
  "chat/validators.js",
  "chat/validators.d.ts",
  "chat/state-validators.js",
  "chat/state-validators.d.ts",
  "daemon/cases.json",
];

// With source maps, errors in tests name lines of the sources. The package does without, as it has no sources.
const sourceMaps = process.argv.includes("--no-source-maps") ? [] : ["--sourceMap"];

rmSync(`${root}/dist`, { recursive: true, force: true });
const compiler = [`${root}/node_modules/typescript-7/bin/tsc`, "-p", "tsconfig.build.json"];
execFileSync(process.execPath, [...compiler, ...sourceMaps], { cwd: root, stdio: "inherit" });
for (const file of data) cpSync(`${root}/generated/${file}`, `${root}/dist/generated/${file}`, { recursive: true });
// npm makes it executable when it installs the package, but not in a checkout.
chmodSync(`${root}/dist/reference/cli/main.js`, 0o755);
