import { commandOf } from "../../../src/verify/report/command-of.js";
import { describeVerdict, type RunVerdict } from "../../../src/verify/report/describe-verdict.js";
import { formatDuration } from "../../../src/verify/report/format-values.js";
import { fromJsonReport } from "../../../src/verify/report/from-json-report.js";
import { groupBy } from "../../../src/verify/report/group-by.js";
import type { JsonCheck, JsonReport, JsonRule } from "../../../src/verify/report/json-report.js";
import { judgeRules, ruleStates } from "../../../src/verify/report/judge-rules.js";
import type { RuleState } from "../../../src/verify/verify-report.js";

/** A report, arranged for the page. */
export interface ReportView {
  readonly command: string;
  readonly verdict: RunVerdict;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly resources: readonly Resource[];
  /** Checks whose verdict is neither passed nor skipped, the worst first. */
  readonly problems: readonly JsonCheck[];
}

/** The rules of a resource. */
export interface Resource {
  readonly name: string;
  /** From the worst state to the best. */
  readonly rules: readonly JsonRule[];
  readonly counts: Readonly<Record<RuleState, number>>;
}

/** The displayed names of the states of rules, in the order of the segments of a bar. */
export const stateNames = ruleStates;

const stateOrder: readonly RuleState[] = ["broken", "deviating", "not-exercised", "kept", "untestable"];

const problemOrder: readonly JsonCheck["verdict"][] = ["failed", "stale", "errored", "deviating", "expected"];

/** Prepares a report for the page. */
export function toReportView(json: JsonReport): ReportView {
  const report = fromJsonReport(json);
  return {
    command: commandOf(report),
    verdict: describeVerdict(report, judgeRules(report)),
    facts: factsOf(json),
    resources: [...groupBy(json.rules, ({ resource }) => resource)].map(([name, rules]) => ({
      name,
      rules: [...rules].sort((one, other) => stateOrder.indexOf(one.state) - stateOrder.indexOf(other.state)),
      counts: countStates(rules),
    })),
    problems: problemOrder.flatMap((verdict) => json.checks.filter((check) => check.verdict === verdict)),
  };
}

function factsOf({ target, contract, version, level, serverVersion, startedAt, durationMs, exercise }: JsonReport) {
  const { exercised, exercisable, percent } = exercise;
  const facts: (readonly [string, string | undefined])[] = [
    ["Target", target],
    ["Contract", `${contract} ${version}`],
    ["Level", level?.toString()],
    ["Version of the server", serverVersion],
    ["Started", startedAt.replace("T", " ").replace(/\.\d+/, "").replace(/Z$/, " UTC")],
    ["Took", formatDuration(durationMs)],
    ["Exercised", `${exercised} of ${exercisable} rules (${percent} %)`],
  ];
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}

function countStates(rules: readonly JsonRule[]): Record<RuleState, number> {
  const counts = { kept: 0, broken: 0, deviating: 0, "not-exercised": 0, untestable: 0 };
  for (const { state } of rules) counts[state]++;
  return counts;
}

/** Splits a sentence into text and code, which is in backticks. */
export function codeParts(text: string): { readonly text: string; readonly isCode: boolean }[] {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter((part) => part.text !== "");
}
