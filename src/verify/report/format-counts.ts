import { countOf, formatDuration, pluralize } from "../../text/format-values.js";
import { groupBy } from "../../text/group-by.js";
import { cutToWidth, textWidth } from "../../text/text-width.js";
import { visibleLine } from "../../text/visible-text.js";
import type { ReportModel } from "../model/to-json-report.js";
import { ruleStates, tallyStates, tallyVerdicts } from "../model/verdict.js";
import type { Layout } from "./create-layout.js";

const stateNames = Object.values(ruleStates);

/** The rules of each resource by state, the checks by outcome, and the reasons for skipped checks. */
export function formatCounts(report: ReportModel, layout: Layout): string[] {
  const { checks, durationMs, waitedMs = 0, coverage } = report;
  const { exercised, exercisable, percent } = report.exercise;
  const counts = tallyVerdicts(checks).filter(({ count }) => count > 0);
  const outcomes = counts.reverse().map(({ count, name }) => `${countOf(count)} ${name}`);
  const waited = waitedMs < 1_000 ? "" : `, of which ${formatDuration(waitedMs)} waiting for time limits`;
  const total = `${pluralize(checks.length, "check")} in ${formatDuration(durationMs)}${waited}`;
  const skipped = groupBy(
    // What to do next lists the others.
    checks.filter(({ verdict, need }) => verdict === "skipped" && need === undefined),
    ({ reason = "" }) => reason,
  );
  const reasons = [...skipped].sort(([, one], [, other]) => other.length - one.length);
  const source = coverage === undefined ? "these checks" : "traffic";
  const share = `${countOf(exercised)} of ${pluralize(exercisable, "rule")} that ${source} can show exercised (${percent} %)`;
  return [
    ...tableOf(report, layout),
    ...layout.text(outcomes.length === 0 ? total : `${total}: ${outcomes.join(", ")}`),
    ...reasons.flatMap(([reason, of]) => layout.text(`${countOf(of.length)} skipped: ${reason}`, 2)),
    ...(exercisable === 0 ? [] : layout.text(share)),
  ];
}

function tableOf({ rules }: ReportModel, { style, columns }: Layout): string[] {
  const resources = [...groupBy(rules, ({ resource }) => resource)];
  if (resources.length === 0) return [];
  const rows = [...resources, ...(resources.length > 1 ? [["all", rules] as const] : [])];
  const maxWidth = Math.max(8, columns - stateNames.reduce((sum, name) => sum + name.length + 2, 0));
  const names = rows.map(([resource]) => cutToWidth(visibleLine(resource), maxWidth));
  const width = Math.max(8, ...names.map(textWidth));
  const lines = rows.map(([, of], index) => {
    const name = names[index] ?? "";
    const cells = tallyStates(of).map(({ key, name, count }) => {
      const cell = (count === 0 ? "-" : String(count)).padStart(name.length + 2);
      if (count === 0) return style.dim(cell);
      return key === "deviating" ? style.yellow(cell) : key === "broken" ? style.red(cell) : cell;
    });
    return name + " ".repeat(width - textWidth(name)) + cells.join("");
  });
  const head = ["rules".padEnd(width), ...stateNames].join("  ");
  return [style.dim(head), ...lines, ""];
}
