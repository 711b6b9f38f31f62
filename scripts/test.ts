import { codeChecks } from "./checks/code-checks.js";
import { contractChecks } from "./checks/contract-checks.js";
import { runChecks } from "./checks/run-checks.js";
import { root } from "./checks/run-tool.js";
import { scriptCheck } from "./checks/script-check.js";
import { skipUnchanged } from "./checks/skip-unchanged.js";
import { endWithSignals } from "./test/end-run.js";
import { missingPrograms } from "./test/missing-programs.js";
import { changedFiles, relatedTests } from "./test/related-tests.js";
import { noTests, runVitest } from "./test/run-vitest.js";

// Runs the checks and tests of CI, or only the test files whose paths contain an argument. The last line counts checks and tests together.
// With --complete, no file of tests is omitted, and with --thorough nothing else either. With --changed, only the tests run that import a
// file that differs from the last commit, and lint.
const isThorough = process.argv.includes("--thorough") || process.env.ACCORD_THOROUGH === "1";
const isForChange = process.argv.includes("--changed");
const filters = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const isComplete = isThorough || process.argv.includes("--complete");
if (isThorough) process.env.ACCORD_THOROUGH = "1";
else if (isComplete) process.env.ACCORD_THOROUGH = "sampled";
endWithSignals();
const lint = [...contractChecks, ...codeChecks];
const all = [
  // First, because it takes longest and needs only one processor. Tests of the site would build it otherwise.
  ...(isComplete ? [scriptCheck("documentation site", "scripts/docs.ts", "--if-changed")] : []),
  ...lint,
  scriptCheck("generated code is up to date", "scripts/check-generated.ts"),
  scriptCheck("every rule is checked", "scripts/check-rules.ts"),
  scriptCheck("version and changelog", "scripts/breaking.ts"),
];
const checks = filters.length > 0 ? [] : isForChange ? skipUnchanged(lint, root) : all;
const missing = missingPrograms();
const failedChecks = await runChecks(checks);
const related = isForChange ? await relatedTests(root, changedFiles(root)) : [];
const tests = isForChange && related.length === 0 ? noTests : await runVitest([...filters, ...related]);
const passed = checks.length - failedChecks.length + tests.passed;
const failed = failedChecks.length + tests.failed;
process.stdout.write("\nslowest test files (one alone: npm run test:unit -- <file>)\n");
for (const { file, milliseconds } of tests.slowest)
  process.stdout.write(`  ${(milliseconds / 1000).toFixed(1).padStart(5)} s  ${file}\n`);
if (failedChecks.length > 0) process.stdout.write(`\nfailed checks: ${failedChecks.join(", ")}\n`);
if (missing.length > 0) process.stdout.write("\nmissing programs, with the tests skipped (Debian: .ci/install)\n");
for (const program of missing) {
  const skipped = tests.skipped.filter((name) => namesMissing(name, program)).length;
  process.stdout.write(`  ${String(skipped).padStart(5)}    ${program}\n`);
}
process.stdout.write(`\n${passed} passed, ${failed} failed, ${tests.skipped.length} skipped\n`);
process.exitCode = failed === 0 ? 0 : 1;

/** Whether a skipped test says, in the note of `test/support/needing.ts`, that it needs a missing program. */
function namesMissing(name: string, program: string): boolean {
  return [...name.matchAll(/\(missing: (.*?)\)/g)].some(([, list = ""]) => list.split(", ").includes(program));
}
