import { codeChecks } from "./checks/code-checks.js";
import { contractChecks } from "./checks/contract-checks.js";
import { runChecks } from "./checks/run-checks.js";
import { scriptCheck } from "./checks/script-check.js";
import { runVitest } from "./test/run-vitest.js";

// Runs the checks and tests of CI. The last line counts both together. With --thorough, tests omit nothing.
if (process.argv.includes("--thorough")) process.env.ACCORD_THOROUGH = "1";
const checks = [
  // First, because it takes longest and needs only one processor. Tests of the site would build it otherwise.
  scriptCheck("documentation site", "scripts/docs.ts", "--if-changed"),
  ...contractChecks,
  ...codeChecks,
  scriptCheck("generated code is up to date", "scripts/check-generated.ts"),
  scriptCheck("every rule is checked", "scripts/check-rules.ts"),
  scriptCheck("version and changelog", "scripts/breaking.ts"),
];
const failedChecks = await runChecks(checks);
const tests = await runVitest();
const passed = checks.length - failedChecks.length + tests.passed;
const failed = failedChecks.length + tests.failed;
process.stdout.write("\nslowest test files (one alone: npm run test:unit -- <file>)\n");
for (const { file, milliseconds } of tests.slowest)
  process.stdout.write(`  ${(milliseconds / 1000).toFixed(1).padStart(5)} s  ${file}\n`);
if (failedChecks.length > 0) process.stdout.write(`\nfailed checks: ${failedChecks.join(", ")}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
