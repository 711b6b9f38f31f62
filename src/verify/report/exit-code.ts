import type { VerifyReport } from "../verify-report.js";
import { type JudgedRule, judgeRules } from "./judge-rules.js";
import { countVerdicts } from "./verdict.js";

/**
 * 0: no rule is broken. 1: the contract is broken, or the known-failing list is outdated. 2: the verification could not run, or
 * was stopped early. 3: no rule is broken, but too few rules were exercised for a verdict.
 */
export type ExitCode = 0 | 1 | 2 | 3;

/** The exit code of a verification. It is 2 if a check could not run, or if no check ran. */
export function exitCode(report: VerifyReport): ExitCode {
  if (report.stopped === true) return 2;
  const counts = countVerdicts(report);
  const { rules, stale } = judgeRules(report);
  if (counts.failed > 0 || stale.length > 0) return 1;
  if (counts.errored > 0 || counts.passed + counts.deviating + counts.expected === 0) return 2;
  return isInconclusive(measureExercise(report, rules)) ? 3 : 0;
}

/** The default minimum share of exercised rules for a verdict, in percent. */
export const defaultMinExercised = 50;

/** How many of the rules that the checks of a run can show were exercised: kept, broken or deviating. */
export interface Exercise {
  readonly exercised: number;
  /** The rules that a check of the run can show, whatever its outcome. */
  readonly exercisable: number;
  /** Rounded down, so that 100 means all. 100 if there is no such rule. */
  readonly percent: number;
  /** The minimum for a verdict, in percent. */
  readonly minPercent: number;
}

/** Counts the exercised rules of a run. Checks that were not selected do not count, so a partial run has its own share. */
export function measureExercise(
  { minExercised = defaultMinExercised, coverage }: VerifyReport,
  rules: readonly JudgedRule[],
): Exercise {
  const exercised = rules.filter(({ state }) => state === "kept" || state === "broken" || state === "deviating").length;
  // In traffic, no check counts as unselected: a client could send anything, and so show any rule.
  const canShow = (checks: readonly unknown[]) => coverage !== undefined || checks.length > 0;
  const idle = rules.filter(({ state, checks }) => state === "not-exercised" && canShow(checks)).length;
  const exercisable = exercised + idle;
  const percent = exercisable === 0 ? 100 : Math.floor((exercised / exercisable) * 100);
  return { exercised, exercisable, percent, minPercent: minExercised };
}

/** Whether a run exercised too few rules for a verdict. */
export function isInconclusive({ percent, minPercent }: Exercise): boolean {
  return percent < minPercent;
}
