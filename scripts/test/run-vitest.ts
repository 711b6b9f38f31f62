import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const vitest = fileURLToPath(
  new URL("vitest.mjs", `file://${createRequire(import.meta.url).resolve("vitest/package.json")}`),
);

/** How the unit tests ended. */
export interface VitestResult {
  readonly passed: number;
  readonly failed: number;
  /** The slowest test files, the slowest first. */
  readonly slowest: readonly { readonly file: string; readonly milliseconds: number }[];
}

interface JsonReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numTotalTestSuites: number;
  readonly testResults: readonly {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: readonly unknown[];
  }[];
}

/** Runs Vitest, showing its output as it comes. A file that fails before its tests begin counts as one failure. */
export async function runVitest(): Promise<VitestResult> {
  const folder = await mkdtemp(join(tmpdir(), "accord-vitest-"));
  try {
    const report = join(folder, "report.json");
    const args = [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
    const code = await new Promise<number | null>((resolve, reject) =>
      child.once("error", reject).once("close", resolve),
    );
    const { numPassedTests, numFailedTests, testResults }: JsonReport = JSON.parse(await readFile(report, "utf8"));
    const unread = testResults.filter(
      ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
    ).length;
    const failed = numFailedTests + unread;
    const slowest = testResults
      .map(({ name, startTime, endTime }) => ({ file: relative(root, name), milliseconds: endTime - startTime }))
      .sort((a, b) => b.milliseconds - a.milliseconds)
      .slice(0, 5);
    // Vitest may also fail outside of any test, for instance on an unhandled rejection.
    return { passed: numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed, slowest };
  } finally {
    await rm(folder, { recursive: true });
  }
}
