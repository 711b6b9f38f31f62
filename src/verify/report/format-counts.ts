import type { RuleState, VerifyReport } from "../verify-report.js";
import type { Layout } from "./create-layout.js";
import { measureExercise } from "./exit-code.js";
import { formatDuration, pluralize } from "./format-values.js";
import { groupBy } from "./group-by.js";
import { countStates, type JudgedRule, type Judgement, ruleStates } from "./judge-rules.js";
import { cutToWidth, textWidth } from "./text-width.js";
import { countVerdicts, hasOutcome, verdictNames, verdicts } from "./verdict.js";
import { visibleLine } from "./visible-text.js";

const states = Object.keys(ruleStates) as RuleState[];

/** The rules of each resource by state, the checks by outcome, and the reasons for skipped checks. */
export function formatCounts(report: VerifyReport, { rules }: Judgement, layout: Layout): string[] {
  const { style } = layout;
  const rows = [...groupBy(rules, ({ resource }) => resource)].map(([resource, of]) => ({
    resource,
    counts: countStates(of),
  }));
  const all = rows.length > 1 ? [{ resource: "all", counts: countStates(rules) }] : [];
  const maxWidth = Math.max(8, layout.columns - states.reduce((sum, state) => sum + ruleStates[state].length + 2, 0));
  const names = [...rows, ...all].map(({ resource }) => cutToWidth(visibleLine(resource), maxWidth));
  const width = Math.max(8, ...names.map(textWidth));
  const head = `${"rules".padEnd(width)}${states.map((state) => `  ${ruleStates[state]}`).join("")}`;
  const lines = [...rows, ...all].map(({ counts }, index) => {
    const name = names[index] ?? "";
    const cells = states.map((state) => {
      const cell = (counts[state] === 0 ? "-" : String(counts[state])).padStart(ruleStates[state].length + 2);
      if (counts[state] === 0) return style.dim(cell);
      if (state === "deviating") return style.yellow(cell);
      return state === "broken" ? style.red(cell) : cell;
    });
    return name + " ".repeat(width - textWidth(name)) + cells.join("");
  });
  const counts = countVerdicts(report);
  const parts = [...verdicts].reverse().filter((verdict) => counts[verdict] > 0);
  const checks = parts.map((verdict) => `${counts[verdict].toLocaleString("en-US")} ${verdictNames[verdict]}`);
  const { durationMs, waitedMs = 0 } = report;
  const waited = waitedMs < 1_000 ? "" : `, of which ${formatDuration(waitedMs)} waiting for time limits`;
  const total = `${pluralize(report.checks.length, "check")} in ${formatDuration(durationMs)}${waited}`;
  return [
    ...(rows.length === 0 ? [] : [style.dim(head), ...lines, ""]),
    ...layout.text(checks.length === 0 ? total : `${total}: ${checks.join(", ")}`, 0),
    ...skippedLines(report, layout),
    ...exerciseLines(report, rules, layout),
  ];
}

function exerciseLines(report: VerifyReport, rules: readonly JudgedRule[], layout: Layout): string[] {
  const { exercised, exercisable, percent } = measureExercise(report, rules);
  if (exercisable === 0) return [];
  const [some, all] = [exercised.toLocaleString("en-US"), pluralize(exercisable, "rule")];
  const source = report.coverage === undefined ? "these checks" : "traffic";
  return layout.text(`${some} of ${all} that ${source} can show exercised (${percent} %)`, 0);
}

/** One line for each reason, the most frequent first. */
function skippedLines({ checks }: VerifyReport, layout: Layout): string[] {
  const reasons = new Map<string, number>();
  for (const check of checks) {
    if (hasOutcome(check, "skipped")) reasons.set(check.outcome.reason, (reasons.get(check.outcome.reason) ?? 0) + 1);
  }
  return [...reasons]
    .sort(([, a], [, b]) => b - a)
    .flatMap(([reason, count]) => layout.text(`${count.toLocaleString("en-US")} skipped: ${reason}`, 2));
}
