import type { VerifyReport } from "../verify-report.js";
import { exitCode, measureExercise } from "./exit-code.js";
import { pluralize } from "./format-values.js";
import { groupBy } from "./group-by.js";
import { countStates, type JudgedRule, type Judgement } from "./judge-rules.js";
import { countVerdicts } from "./verdict.js";

/** The verdict of a run in a word and a sentence. */
export interface RunVerdict {
  readonly word: "PASS" | "FAIL" | "COULD NOT RUN" | "STOPPED" | "INCONCLUSIVE";
  readonly sentence: string;
}

/** Describes the verdict of a run. The word follows from the exit code. */
export function describeVerdict(report: VerifyReport, { rules, operations, stale }: Judgement): RunVerdict {
  const counts = countVerdicts(report);
  const states = countStates(rules);
  const operationsBroken = operations.filter(({ state }) => state === "broken").length;
  const parts = [
    ...(states.broken > 0 ? [`${pluralize(states.broken, "rule")} broken`] : []),
    ...(operationsBroken > 0 ? [`${pluralize(operationsBroken, "operation")} not as described`] : []),
    ...(stale.length > 0
      ? [`${pluralize(stale.length, "known-failing entry", "known-failing entries")} out of date`]
      : []),
    ...(counts.errored > 0 ? [`${pluralize(counts.errored, "check")} could not run`] : []),
  ];
  const notExercised = states["not-exercised"];
  const deviating = states.deviating === 0 ? "" : `, ${pluralize(states.deviating, "recommendation")} not followed`;
  const idle = notExercised === 0 ? "" : `, ${notExercised.toLocaleString("en-US")} not exercised`;
  const rest = `${deviating}${idle}`;
  const allKept = `${pluralize(states.kept, "rule")} kept, none broken${rest}.`;
  if (report.stopped === true) {
    const soFar = parts.length === 0 ? allKept : `${joinWithAnd(parts)}.`;
    return { word: "STOPPED", sentence: `The run was stopped before it was complete. So far: ${soFar}` };
  }
  switch (exitCode(report)) {
    case 0: {
      const known = parts.length === 0 ? allKept : `${joinWithAnd(parts)}, all known${rest}.`;
      // All rules may be kept although most checks were skipped, because several checks can show the same rule.
      const mostlySkipped = counts.skipped > report.checks.length / 2 ? ` ${countSkipped(report, counts.skipped)}` : "";
      return { word: "PASS", sentence: `${known}${mostlySkipped}` };
    }
    case 1:
      return { word: "FAIL", sentence: `${joinWithAnd(parts)}.` };
    case 2:
      return {
        word: "COULD NOT RUN",
        sentence: parts.length === 0 ? describeNoChecks(report) : `${joinWithAnd(parts)}.`,
      };
    case 3:
      return { word: "INCONCLUSIVE", sentence: describeInconclusive(report, rules) };
  }
}

/** Says how many rules were exercised, and what to do about it. */
function describeInconclusive(report: VerifyReport, rules: readonly JudgedRule[]): string {
  const { exercised, exercisable, percent, minPercent } = measureExercise(report, rules);
  const reasons = rules.flatMap(({ reason }) => reason ?? []);
  const [first] = [...groupBy(reasons, (reason) => reason)].sort(([, one], [, other]) => other.length - one.length);
  if (report.coverage !== undefined) {
    return (
      `None broken, but the traffic exercised only ${exercised.toLocaleString("en-US")} of ${pluralize(exercisable, "rule")} (${percent} %); ` +
      `a verdict needs ${minPercent} %. Call more of the API, or lower --min-exercised.`
    );
  }
  const why = first === undefined ? "" : ` ${pluralize(first[1].length, "rule")} because ${first[0]}.`;
  return (
    `None broken, but only ${exercised.toLocaleString("en-US")} of the ${exercisable.toLocaleString("en-US")} rules that these checks can ` +
    `show were exercised (${percent} %); a verdict needs ${minPercent} %.${why} --min-exercised lowers the minimum, and --only restricts ` +
    "the run to what the server can show."
  );
}

function countSkipped({ checks }: VerifyReport, count: number): string {
  return `${count.toLocaleString("en-US")} of ${pluralize(checks.length, "check")} were skipped.`;
}

/** Says why no check ran. */
function describeNoChecks({ checks, coverage }: VerifyReport): string {
  if (coverage !== undefined) {
    return `No exchange was judged: ${coverage.exchanges === 0 ? "there was none" : "none was with an operation of the contract"}.`;
  }
  return checks.length === 0 ? "No check ran." : "No check ran: all were skipped.";
}

function joinWithAnd(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
