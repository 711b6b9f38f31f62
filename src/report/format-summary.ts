import { shellQuoted } from "../base/shell-word.js";
import {
  abbreviateIds,
  abbreviateList,
  countOf,
  formatDuration,
  formatFirst,
  pluralize,
} from "../text/format-values.js";
import { groupBy } from "../text/group-by.js";
import { cutToWidth, textWidth } from "../text/text-width.js";
import { visibleLine } from "../text/visible-text.js";
import { formatFinding } from "./format-finding.js";
import { createLayout, createStyle, type Layout, type Style } from "./layout.js";
import {
  describeBeyond,
  describeExercise,
  describeLeft,
  describeMissing,
  describeNeed,
  describeOutside,
  describeRun,
  describeTraffic,
  nextNeeds,
  operationCells,
} from "./model/describe.js";
import { describeDisturbances } from "./model/disturbances.js";
import type { Finding, FindingTag } from "./model/finding.js";
import { listFindings } from "./model/findings.js";
import type { JsonNeed, JsonOperation } from "./model/json-report.js";
import { tabledOperations } from "./model/judge-operations.js";
import { rulesOfRun } from "./model/judge-rules.js";
import { type AnyReport, modelOf, type ReportModel } from "./model/to-json-report.js";
import { type OperationState, ruleStates, tallyStates, tallyVerdicts } from "./model/verdict.js";

/** The appearance of a summary. */
export interface SummaryOptions {
  /** Whether to use the colours of a terminal. Defaults to false. */
  readonly colours?: boolean;
  /** The width in columns, at least 60. Defaults to 100. Commands are never broken. */
  readonly columns?: number;
}

/** How many failures, outdated entries, and reasons why checks could not run, are described. */
const maxDescribed = 20;
/** How many reasons of known failures, items of traffic and needs are listed, and how many needs with what to return. */
const maxReasons = 10;
const maxItems = 12;
const maxHelp = 3;
/** The table names what is called if it has this many columns for it. */
const minCall = 12;
/** More operations than this that are done are only counted. */
const maxDone = 30;

/**
 * Formats the result of a verification for a terminal: what was not sent or is left, the operations, each broken rule with a check that shows it, outdated known-failing
 * entries, checks that could not run, what skipped checks need, and counts. Similar failures appear once. Passed checks, and failures beyond a maximum, are only counted.
 * No control character of a server reaches the terminal.
 */
export function formatSummary(given: AnyReport, { colours = false, columns = 100 }: SummaryOptions = {}): string {
  const report = modelOf(given);
  const layout = createLayout(createStyle(colours), Math.max(columns, 60));
  const findings = listFindings(report);
  const of = (...tags: readonly FindingTag[]) => findings.filter(({ tag }) => tags.includes(tag));
  const described = new Map<string, string>();
  const describe = (some: readonly Finding[], rest: (others: readonly Finding[]) => string) =>
    formatFirst(
      some,
      maxDescribed,
      (finding) => formatFinding(finding, described, layout),
      (others) => layout.text(rest(others)),
    );
  const failures = of("FAIL", "DEVIATES");
  const blocks = [
    describeLeft(report).flatMap((line) => layout.text(visibleLine(line))),
    operationLines(report, layout),
    ...describe(
      failures,
      ({ length }) => `${countOf(length)} more are listed below. --html FILE describes each of them.`,
    ),
    ...describe(of("OUT OF DATE"), ({ length }) => {
      const more = pluralize(length, "more entry", "more entries");
      return `${more} out of date. --write-known-failing FILE writes the list anew.`;
    }),
    ...describe(of("COULD NOT RUN"), (others) => {
      const more = pluralize(others.flatMap(({ checks }) => checks).length, "more check");
      return `${more} could not run. --html FILE describes each.`;
    }),
    knownLines(of("KNOWN TO FAIL"), layout),
    countLines(report, layout),
    failures.length < 2
      ? []
      : [...titleLines("broken", of("FAIL"), layout), ...titleLines("deviating", of("DEVIATES"), layout)],
    coverageLines(report, layout),
    nextLines(report, layout),
    aboutLines(report, layout),
    verdictLines(report, layout),
  ];
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${shown.join("\n\n")}\n`;
}

const operationColours: Partial<Record<OperationState, keyof Style>> = {
  failing: "red",
  partial: "yellow",
  done: "green",
  "not-implemented": "magenta",
};

/** The table of operations, and why operations count as not implemented. Empty without operations. */
function operationLines(report: ReportModel, { columns, style, text, table }: Layout): string[] {
  const all = tabledOperations(report);
  if (all.length === 0) return [];
  const done = all.filter(({ state }) => state === "done");
  const shown = done.length > maxDone ? all.filter(({ state }) => state !== "done") : all;
  const heads = ["operations", "state".padEnd(15), "kept", "exercised", "rules"] as const;
  // What is called, if that is more than a name, takes what is left of the line.
  const left = columns - Math.max(...shown.map(({ id }) => textWidth(id)), 10) - heads.slice(1).join("  ").length - 4;
  const hasCalls = left >= minCall && shown.some(({ id, title }) => title !== id);
  const callOf = ({ title }: JsonOperation) => (hasCalls ? [cutToWidth(visibleLine(title), left)] : []);
  const rows = shown.map((one) => [one.id, ...operationCells(one), ...callOf(one)] as const);
  const colourOf = new Map(shown.map(({ state }, at) => [rows[at], operationColours[state] ?? "dim"]));
  return [
    ...table([...heads, ...(hasCalls ? ["call"] : [])], rows, (cell, column, row) =>
      column === 0 ? style[colourOf.get(row) ?? "dim"](cell) : cell,
    ),
    ...(shown.length < all.length ? [`${pluralize(done.length, "operation")} done`] : []),
    ...describeMissing(report).flatMap((line) => text(visibleLine(line))),
  ];
}

/** The checks that are known to fail and failed, by reason. */
function knownLines(known: readonly Finding[], { style, text }: Layout): string[] {
  if (known.length === 0) return [];
  const byReason = formatFirst(
    known,
    maxReasons,
    ({ title, checks }) => text(`${abbreviateIds(checks, 1)}: ${title}`, 2),
    ({ length }) => [`  and ${pluralize(length, "more reason")}`],
  );
  const count = pluralize(known.flatMap(({ checks }) => checks).length, "check");
  return [`${style.yellow("KNOWN TO FAIL")}  ${count}`, ...byReason.flat().map(style.dim)];
}

/** The rules of each resource by state, the checks by outcome, and the reasons for skipped checks. */
function countLines(report: ReportModel, layout: Layout): string[] {
  const { checks, durationMs, waitedMs = 0 } = report;
  const outcomes = tallyVerdicts(checks)
    .filter(({ count }) => count > 0)
    .map(({ count, name }) => `${countOf(count)} ${name}`)
    .reverse();
  const waited = waitedMs < 1_000 ? "" : `, of which ${formatDuration(waitedMs)} waiting for time limits`;
  const total = `${pluralize(checks.length, "check")} in ${formatDuration(durationMs)}${waited}`;
  // What to do next lists those that need something.
  const skipped = checks.filter(({ verdict, need }) => verdict === "skipped" && need === undefined);
  const reasons = [...groupBy(skipped, ({ reason = "" }) => reason)].sort(([, a], [, b]) => b.length - a.length);
  return [
    ...ruleLines(report, layout),
    ...layout.text(outcomes.length === 0 ? total : `${total}: ${outcomes.join(", ")}`),
    ...reasons.flatMap(([reason, of]) => layout.text(`${countOf(of.length)} skipped: ${reason}`, 2)),
    ...(report.exercise.exercisable === 0 ? [] : layout.text(describeExercise(report))),
  ];
}

function ruleLines(report: ReportModel, { style, table, text }: Layout): string[] {
  const rules = rulesOfRun(report);
  const outside = describeOutside(report).flatMap((line) => text(line));
  if (rules.length === 0) return outside;
  const resources = [...groupBy(rules, ({ resource }) => resource)];
  const rows = [...resources, ...(resources.length > 1 ? [["all", rules] as const] : [])].map(
    ([resource, of]) => [resource, ...tallyStates(of).map(({ count }) => (count === 0 ? "-" : String(count)))] as const,
  );
  const colours = [undefined, style.red, style.yellow];
  const paint = (cell: string, column: number) =>
    cell.endsWith("-") ? style.dim(cell) : (colours[column]?.(cell) ?? cell);
  return [...table(["rules   ", ...Object.values(ruleStates)], rows, paint), ...outside, ""];
}

/** Lists the titles of findings. */
function titleLines(heading: string, findings: readonly Finding[], { style, text }: Layout): string[] {
  if (findings.length === 0) return [];
  return [style.dim(heading), ...text(findings.map(({ title }) => visibleLine(title)).join(", "), 2)];
}

/** What occurred in the traffic of a client, and what never did. Empty for the verification of a server. */
function coverageLines({ coverage }: ReportModel, { style, text, table }: Layout): string[] {
  if (coverage === undefined) return [];
  const { exchanges, sections } = coverage;
  const rows = sections.map(({ title, items }) => {
    const shown = items.filter(({ count }) => count > 0).length;
    return [title, String(shown), String(items.length - shown)] as const;
  });
  const called = new Set(sections.flatMap(({ items }) => items.flatMap(({ count, name }) => (count > 0 ? name : []))));
  const lists = sections.flatMap(({ title, items }) => {
    // Omit the parts of operations that were never called.
    const never = items
      .filter(({ count, operation }) => count === 0 && (operation === undefined || called.has(operation)))
      .map(({ name, operation }) => (operation === undefined ? name : `${operation} ${name}`));
    return never.length === 0 || called.size === 0
      ? []
      : text(`${title} never shown: ${abbreviateList(never, maxItems)}`, 2).map(style.dim);
  });
  return [
    ...table([pluralize(exchanges, "exchange"), "shown", "never shown"], rows),
    ...lists,
    ...describeTraffic(coverage).flatMap((line) => text(line, 2)),
  ];
}

/** What skipped checks need, with templates for the smallest steps, and what `--operation` does not select. */
function nextLines(report: ReportModel, { style, text }: Layout): string[] {
  const needs = nextNeeds(report);
  const helped = needs.filter(({ help }) => help !== undefined).slice(0, maxHelp);
  const said = new Set<string>();
  // A sentence that an earlier template has said is not repeated.
  const isNew = (line: string) => !/^[A-Z]/.test(line) || (!said.has(line) && said.add(line));
  const describe = (need: JsonNeed) => {
    if (need.help === undefined || !helped.includes(need)) return text(describeNeed(need), 2);
    const help = need.help.split("\n").filter(isNew).join("\n");
    return [...text(`${describeNeed(need)}; here is what a setup returns`, 2), ...text(help, 6)];
  };
  // The largest step is the last, and never only counted.
  const [states] = needs.filter(({ need }) => need.kind === "states");
  const lines = [
    ...formatFirst(
      needs.filter((need) => need !== states),
      maxItems,
      describe,
      ({ length }) => [`  and ${countOf(length)} more`],
    ),
    ...(states === undefined ? [] : [describe(states)]),
  ];
  return [
    ...(lines.length === 0 ? [] : [style.dim("what to do next"), ...lines.flat()]),
    ...describeBeyond(report).flatMap((line) => text(line)),
  ];
}

/** Says what was verified, and how to run a check again. */
function aboutLines(report: ReportModel, { style, text }: Layout): string[] {
  const { seed, checks, coverage } = report;
  const about = [describeRun(report), ...describeDisturbances(report)].flatMap((line) => text(visibleLine(line)));
  if (coverage !== undefined) return about;
  const order = ["failed", "errored", "stale", "deviating", "expected"] as const;
  const found = checks.filter(({ kind }) => kind !== "operation");
  const first = order.flatMap((wanted) => found.find(({ verdict }) => verdict === wanted) ?? [])[0];
  if (first === undefined) return seed === undefined ? about : [...about, `${style.dim("Seed:")} ${seed}`];
  return [...about, `${style.dim("To run a check again, add:")} ${rerunOptions(first.id, report)}`];
}

/** The command-line options that run a check again with the same random requests, quoted for a POSIX shell. */
export function rerunOptions(id: string, { seed }: Pick<ReportModel, "seed">): string {
  const only = `--only ${shellQuoted(visibleLine(id))}`;
  return seed === undefined ? only : `${only} --seed ${seed}`;
}

function verdictLines({ exitCode, verdict: { word, sentence } }: ReportModel, { style, text }: Layout): string[] {
  const paint = exitCode === 0 ? style.green : exitCode === 1 ? style.red : style.magenta;
  const [first = "", ...rest] = text(sentence, word.length + 2);
  return [`${style.bold(paint(word))}  ${first.trimStart()}`, ...rest];
}
