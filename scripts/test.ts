import { codeStages } from "./lint/code-stages.js";
import { contractStages } from "./lint/contract-stages.js";
import { runStages } from "./stages/run-stages.js";
import { scriptStage } from "./stages/script-stage.js";
import { runVitest } from "./test/run-vitest.js";

// Runs the checks and tests of CI. The last line counts both together. With --thorough, as in a job of CI, tests leave nothing out.
if (process.argv.includes("--thorough")) process.env.ACCORD_THOROUGH = "1";
const stages = [
  ...contractStages,
  ...codeStages,
  scriptStage("generated code is up to date", "scripts/check-generated.ts"),
  scriptStage("every rule is checked", "scripts/check-rules.ts"),
  scriptStage("version and changelog", "scripts/breaking.ts"),
];
const failedStages = await runStages(stages);
const tests = await runVitest();
const passed = stages.length - failedStages.length + tests.passed;
const failed = failedStages.length + tests.failed;
process.stdout.write("\nslowest test files (one alone: npm run test:unit -- <file>)\n");
for (const { file, milliseconds } of tests.slowest)
  process.stdout.write(`  ${(milliseconds / 1000).toFixed(1).padStart(5)} s  ${file}\n`);
if (failedStages.length > 0) process.stdout.write(`\nfailed checks: ${failedStages.join(", ")}\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
