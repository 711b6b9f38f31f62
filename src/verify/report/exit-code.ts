import type { VerifyReport } from "../verify-report.js";
import { isInconclusive, measureExercise } from "./exercise.js";
import { judgeRules } from "./judge-rules.js";
import { countVerdicts } from "./verdict.js";

/**
 * 0: all kept. 1: the server breaks the contract, or the known-failing list is out of date. 2: the verification could not run, or was
 * stopped before its end. 3: nothing is broken, and too few rules were exercised for a verdict.
 */
export type ExitCode = 0 | 1 | 2 | 3;

/** The exit code of a verification. One that could not run a check, or ran none at all, says nothing good about the server. */
export function exitCode(report: VerifyReport): ExitCode {
  if (report.stopped === true) return 2;
  const counts = countVerdicts(report);
  const { rules, stale } = judgeRules(report);
  if (counts.failed > 0 || stale.length > 0) return 1;
  if (counts.errored > 0 || counts.passed + counts.expected === 0) return 2;
  return isInconclusive(measureExercise(report, rules)) ? 3 : 0;
}
