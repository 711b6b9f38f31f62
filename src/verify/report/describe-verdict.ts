import type { VerifyReport } from "../verify-report.js";
import { exitCode, measureExercise } from "./exit-code.js";
import { pluralize } from "./format-values.js";
import { groupBy } from "./group-by.js";
import { countStates, type JudgedRule, type Judgement } from "./judge-rules.js";
import { countVerdicts } from "./verdict.js";

/** The outcome of a run in a word and a sentence. */
export interface RunVerdict {
  readonly word: "PASS" | "FAIL" | "COULD NOT RUN" | "STOPPED" | "INCONCLUSIVE";
  readonly sentence: string;
}

/** Says what a run came to. The word follows the exit code. */
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
  const rest = notExercised === 0 ? "" : `, ${notExercised.toLocaleString("en-US")} not exercised`;
  const allKept = `${pluralize(states.kept, "rule")} kept, none broken${rest}.`;
  if (report.stopped === true) {
    const sofar = parts.length === 0 ? allKept : `${list(parts)}.`;
    return { word: "STOPPED", sentence: `The run was ended before all was done: ${sofar}` };
  }
  switch (exitCode(report)) {
    case 0: {
      const known = parts.length === 0 ? allKept : `${list(parts)}, all of it known${rest}.`;
      // A check can show rules that others show, too.
      const most = counts.skipped > report.checks.length / 2 ? ` ${countSkipped(report, counts.skipped)}` : "";
      return { word: "PASS", sentence: `${known}${most}` };
    }
    case 1:
      return { word: "FAIL", sentence: `${list(parts)}.` };
    case 2:
      return { word: "COULD NOT RUN", sentence: parts.length === 0 ? nothing(report) : `${list(parts)}.` };
    case 3:
      return { word: "INCONCLUSIVE", sentence: tooLittle(report, rules) };
  }
}

/** How few rules were exercised, and what to do about it. */
function tooLittle(report: VerifyReport, rules: readonly JudgedRule[]): string {
  const { exercised, exercisable, percent, minPercent } = measureExercise(report, rules);
  const reasons = rules.flatMap(({ reason }) => reason ?? []);
  const [first] = [...groupBy(reasons, (reason) => reason)].sort(([, one], [, other]) => other.length - one.length);
  const why = first === undefined ? "" : ` ${pluralize(first[1].length, "rule")} because ${first[0]}.`;
  return (
    `None broken, but only ${exercised.toLocaleString("en-US")} of the ${exercisable.toLocaleString("en-US")} rules that these checks can ` +
    `show were exercised: ${percent} %, and a verdict takes ${minPercent} %.${why} --min-exercised accepts less, and --only restricts ` +
    "the run to what the server can show."
  );
}

function countSkipped({ checks }: VerifyReport, count: number): string {
  return `${count.toLocaleString("en-US")} of ${pluralize(checks.length, "check")} were skipped.`;
}

/** Why no check was run. */
function nothing({ checks }: VerifyReport): string {
  return checks.length === 0 ? "No check was run." : "No check was run: all were skipped.";
}

function list(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
