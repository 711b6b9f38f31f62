import { countOf, pluralize } from "../../text/format-values.js";
import { groupBy } from "../../text/group-by.js";
import { isWithheld } from "./check-result.js";
import { describeLastingOutage, lastingOutage } from "./disturbances.js";
import { listOperationFailures } from "./findings.js";
import type { Exercise, ExitCode, JsonCheck, JsonReport, JsonRule, RunVerdict } from "./json-report.js";
import { saysMissing } from "./judge-operations.js";
import { rulesOfRun } from "./judge-rules.js";
import type { VerifyReport } from "./verify-report.js";

/** The default minimum share of exercised rules for a verdict, in percent. */
export const defaultMinExercised = 50;

/** Counts the exercised rules of a run. Checks that were not selected do not count, so a partial run has its own share. */
export function measureExercise(
  { minExercised, coverage, accounts }: VerifyReport,
  rules: readonly JsonRule[],
  checks: readonly JsonCheck[],
): Exercise {
  const exercised = rules.filter(({ state }) => state === "kept" || state === "broken" || state === "deviating").length;
  // In traffic, no check counts as unselected: a client could send anything, and so show any rule. A missing operation counts by itself, and
  // what the run must not send is not part of it.
  const lacking = new Set(checks.flatMap(({ id, need }) => (need?.kind === "operation" || isWithheld(need) ? id : [])));
  const canShow = (ids: readonly string[]) => coverage !== undefined || ids.some((id) => !lacking.has(id));
  const idle = rules.filter(({ state, checks }) => state === "not-exercised" && canShow(checks)).length;
  const exercisable = exercised + idle;
  const percent = exercisable === 0 ? 100 : Math.floor((exercised / exercisable) * 100);
  return {
    exercised,
    exercisable,
    percent,
    minPercent: minExercised ?? (accounts === undefined ? defaultMinExercised : 0),
  };
}

/** The exit code of a run. It is 2 if a check could not run, or if no check ran. */
export function exitCodeOf(
  { passed, failed, deviating, expected, errored }: JsonReport["totals"]["checks"],
  run: Pick<JsonReport, "stopped" | "stale" | "exercise" | "outages">,
): ExitCode {
  const { stopped, stale, exercise } = run;
  if (stopped) return 2;
  const isEnded = run.outages?.some(({ state, suspects }) => state === "away" && suspects !== undefined);
  if (failed > 0 || stale.length > 0 || isEnded) return 1;
  if (lastingOutage(run) !== undefined) return 2;
  if (errored > 0 || passed + deviating + expected === 0) return 2;
  return exercise.percent < exercise.minPercent ? 3 : 0;
}

/** Describes the verdict of a run. The word follows from the exit code. If the server went away for good, the first sentence says so. */
export function describeVerdict(report: Omit<JsonReport, "verdict">): RunVerdict {
  const outage = describeLastingOutage(report);
  const { word, sentence } = verdictOf(report);
  return { word, sentence: outage === undefined ? sentence : `${outage} ${sentence}` };
}

function verdictOf(report: Omit<JsonReport, "verdict">): RunVerdict {
  const { kept, broken, deviating, "not-exercised": notExercised } = report.totals.rules;
  const { errored, skipped } = report.totals.checks;
  const unruly = listOperationFailures(report, ["failed", "expected"]);
  const operations = unruly.filter(([, checks]) => checks.some(({ kind }) => kind !== "workflow")).length;
  const workflows = unruly.flatMap(([, checks]) => checks.filter(({ kind }) => kind === "workflow")).length;
  const stale = report.stale.length;
  const missing = describeMissing(report.checks);
  // The first sentence names those of the last one.
  const ended = (report.outages ?? []).flatMap(({ state, suspects, durationMs }) =>
    state === "away" && suspects !== undefined && durationMs !== undefined ? [suspects] : [],
  );
  const parts = [
    ...ended.map((one) => `1 end of the server by ${one.join(" or ")}`),
    ...(broken > 0 ? [`${pluralize(broken, "rule")} broken`] : []),
    ...(operations > 0 ? [`${pluralize(operations, "operation")} not as described`] : []),
    ...(workflows > 0 ? [`${pluralize(workflows, "workflow")} failed`] : []),
    ...(stale > 0 ? [`${pluralize(stale, "known-failing entry", "known-failing entries")} out of date`] : []),
    ...(errored > 0 ? [`${pluralize(errored, "check")} could not run`] : []),
  ];
  const wrong = parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
  const found = missing === undefined ? wrong : `${missing}; ${wrong === "" ? "no rule is broken" : wrong}`;
  const notFollowed = deviating === 0 ? "" : `, ${pluralize(deviating, "recommendation")} not followed`;
  const rest = notExercised === 0 ? notFollowed : `${notFollowed}, ${countOf(notExercised)} not exercised`;
  const allKept = `${pluralize(kept, "rule")} kept, none broken${rest}.`;
  if (report.stopped) {
    const soFar = found === "" ? allKept : `${found}.`;
    return { word: "STOPPED", sentence: `The run was stopped before it was complete. So far: ${soFar}` };
  }
  if (isPartial(report)) return { word: "PARTIAL", sentence: describePartial(report, allKept) };
  switch (report.exitCode) {
    case 0: {
      const known =
        wrong === "" ? [missing ?? [], allKept].flat().join(", as listed; ") : `${found}, all known${rest}.`;
      // All rules may be kept although most checks were skipped, because several checks can show the same rule.
      const total = report.checks.length;
      const most = skipped > total / 2 ? ` ${countOf(skipped)} of ${pluralize(total, "check")} were skipped.` : "";
      return { word: "PASS", sentence: known + most };
    }
    case 1:
      return { word: "FAIL", sentence: `${found}.` };
    case 2: {
      const soFar = kept > 0 && lastingOutage(report) !== undefined ? `So far: ${allKept}` : describeNoChecks(report);
      return { word: "COULD NOT RUN", sentence: found === "" ? soFar : `${found}.` };
    }
    case 3:
      return { word: "INCONCLUSIVE", sentence: describeInconclusive(report) };
  }
}

/** Says how many operations the server lacks. Undefined if it has all. */
function describeMissing(checks: JsonReport["checks"]): string | undefined {
  const asked = checks.filter(({ kind }) => kind === "operation");
  const missing = asked.filter(saysMissing).length;
  if (missing === 0) return undefined;
  return `${countOf(missing)} of ${pluralize(asked.length, "operation")} ${missing === 1 ? "is" : "are"} not implemented`;
}

/** Whether nothing is wrong, but the run must not send everything, or accounts of a real organization could show only a small share. */
function isPartial({ accounts, exitCode, exercise, needs = [] }: Omit<JsonReport, "verdict">): boolean {
  if (exitCode === 0 && needs.some(({ need }) => isWithheld(need))) return true;
  if (accounts === undefined) return false;
  return exitCode === 3 || (exitCode === 0 && exercise.minPercent === 0 && exercise.percent < defaultMinExercised);
}

function describePartial({ exercise, accounts, needs = [] }: Omit<JsonReport, "verdict">, allKept: string): string {
  const { exercised, exercisable, percent, minPercent } = exercise;
  const withheld = needs.filter(({ need }) => isWithheld(need)).reduce((sum, { checks }) => sum + checks, 0);
  const notSent = withheld === 0 ? "" : ` ${pluralize(withheld, "check")} ${withheld === 1 ? "was" : "were"} not sent.`;
  if (accounts === undefined || percent >= Math.max(minPercent, defaultMinExercised)) return `${allKept}${notSent}`;
  const least = percent < minPercent ? ` --min-exercised demands ${minPercent} %.` : "";
  return (
    `${allKept}${notSent} With accounts instead of provider states, ${countOf(exercised)} of ${pluralize(exercisable, "rule")} were ` +
    `exercised (${percent} %).${least} --states shows the others.`
  );
}

/** Says how many rules were exercised, and what to do about it. */
function describeInconclusive(report: Omit<JsonReport, "verdict">): string {
  const { exercise, coverage } = report;
  const { exercised, exercisable, percent, minPercent } = exercise;
  if (coverage !== undefined) {
    return (
      `None broken, but the traffic exercised only ${countOf(exercised)} of ${pluralize(exercisable, "rule")} (${percent} %); ` +
      `a verdict needs ${minPercent} %. Call more of the API, or lower --min-exercised.`
    );
  }
  const withheld = new Set(report.checks.flatMap(({ need, reason }) => (isWithheld(need) ? (reason ?? []) : [])));
  const reasons = groupBy(
    rulesOfRun(report).flatMap(({ reason }) => (reason === undefined || withheld.has(reason) ? [] : reason)),
    (reason) => reason,
  );
  const [first] = [...reasons.values()].sort((one, other) => other.length - one.length);
  const why = first === undefined ? "" : ` ${pluralize(first.length, "rule")} because ${first[0]}.`;
  return (
    `None broken, but only ${countOf(exercised)} of the ${countOf(exercisable)} rules that these checks can show were exercised ` +
    `(${percent} %); a verdict needs ${minPercent} %.${why} --min-exercised lowers the minimum, and --only restricts the run to what the ` +
    "server can show."
  );
}

/** Says why no check ran. */
function describeNoChecks({ checks, coverage, needs = [] }: Omit<JsonReport, "verdict">): string {
  if (coverage !== undefined) {
    return `No exchange was judged: ${coverage.exchanges === 0 ? "there was none" : "none was with an operation of the contract"}.`;
  }
  if (checks.length === 0) return "No check ran.";
  const [first] = needs.filter(({ need }) => !isWithheld(need));
  if (first?.need.kind === "account") return "No check ran: most need credentials: give --account or --states.";
  if (needs.some(({ need }) => isWithheld(need))) return "No check ran: what this run may send shows no rule.";
  const isStateless = first?.need.kind === "states";
  return `No check ran: all were skipped${isStateless ? ", most because they need provider states: give --states" : ""}.`;
}
