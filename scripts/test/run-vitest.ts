import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Reporter, startVitest, type TestModule } from "vitest/node";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The result of the unit tests. */
export interface VitestResult {
  readonly passed: number;
  readonly failed: number;
  /** The names of skipped tests. */
  readonly skipped: readonly string[];
  /** The ten slowest test files, slowest first, including setup and teardown. */
  readonly slowest: readonly { readonly file: string; readonly milliseconds: number }[];
}

/** The result if there is nothing to run. */
export const noTests: VitestResult = { passed: 0, failed: 0, skipped: [], slowest: [] };

/**
 * Runs Vitest and streams its output: all files, or those whose path contains a filter. An error outside a test, such as a file that fails
 * to load, counts as a failure.
 */
export async function runVitest(filters: readonly string[]): Promise<VitestResult> {
  let result: VitestResult = { ...noTests, failed: 1 };
  const reporter: Reporter = {
    onTestRunEnd: (modules, unhandledErrors) => {
      result = resultOf(modules, unhandledErrors.length);
    },
  };
  const vitest = await startVitest("test", [...filters], { root, run: true, reporters: ["default", reporter] });
  await vitest.close();
  return result;
}

function resultOf(modules: readonly TestModule[], unhandledErrors: number): VitestResult {
  const tests = (state: "passed" | "failed" | "skipped") =>
    modules.flatMap(({ children }) => Array.from(children.allTests(state), ({ fullName }) => fullName));
  const outside = modules.reduce((sum, module) => {
    const suites = Array.from(module.children.allSuites());
    return sum + [module, ...suites].reduce((errors, task) => errors + task.errors().length, 0);
  }, unhandledErrors);
  const slowest = modules
    .map((module) => ({ file: relative(root, module.moduleId), milliseconds: module.diagnostic().duration }))
    .sort((a, b) => b.milliseconds - a.milliseconds)
    .slice(0, 10);
  // Without a single file, Vitest could not begin: it reports the reason only on the screen.
  const failed = tests("failed").length + outside + (modules.length === 0 ? 1 : 0);
  return { passed: tests("passed").length, failed, skipped: tests("skipped"), slowest };
}
