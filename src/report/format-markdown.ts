import { countOf, formatDuration, formatFirst, pluralize } from "../text/format-values.js";
import { groupBy } from "../text/group-by.js";
import { escapeMarkup, visibleLine, visibleText } from "../text/visible-text.js";
import {
  commandOf,
  describeBeyond,
  describeLeft,
  describeMissing,
  describeNeed,
  describeOutside,
  describeRun,
  nextNeeds,
  operationCells,
} from "./model/describe.js";
import { describeDisturbances } from "./model/disturbances.js";
import type { Finding } from "./model/finding.js";
import { listFindings } from "./model/findings.js";
import type { JsonRule } from "./model/json-report.js";
import { tabledOperations } from "./model/judge-operations.js";
import { rulesOfRun } from "./model/judge-rules.js";
import { type AnyReport, modelOf, type ReportModel } from "./model/to-json-report.js";
import { ruleStates, tallyStates } from "./model/verdict.js";

/** How many findings and needs are described. A job summary holds at most 1 MiB. */
const maxDescribed = 50;
/** How many operations are listed. */
const maxOperations = 200;
/** How much of a request, response or command is shown, in characters. */
const maxText = 2000;

/**
 * Formats the result of a verification as GitHub Flavored Markdown, for a job summary or a comment: the verdict, the operations, each finding
 * with a check that shows it, the rules by resource, and what skipped checks need. Texts of the server cannot form Markdown or HTML.
 */
export function formatMarkdown(given: AnyReport): string {
  const report = modelOf(given);
  const { checks, durationMs, verdict } = report;
  const needs = nextNeeds(report);
  const findings = listFindings(report).filter(({ tag }) => tag !== "KNOWN TO FAIL");
  const blocks = [
    `## ${verdict.word}: ${commandOf(report)}`,
    plain(verdict.sentence),
    describeLeft(report)
      .map((line) => `- ${plain(line)}`)
      .join("\n"),
    plain(`${describeRun(report)}; ${pluralize(checks.length, "check")} in ${formatDuration(durationMs)}`),
    ...describeDisturbances(report).map(plain),
    ...operationsOf(report),
    ...formatFirst(findings, maxDescribed, describeFinding, ({ length }) => `and ${pluralize(length, "more finding")}`),
    rulesOf(rulesOfRun(report)),
    ...describeOutside(report).map(plain),
    needs.length === 0 ? "" : "What to do next:",
    formatFirst(
      needs,
      maxDescribed,
      (need) => `- ${plain(describeNeed(need))}`,
      ({ length }) => `- and ${countOf(length)} more`,
    ).join("\n"),
    ...describeBeyond(report).map(plain),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function describeFinding({ tag, title, sentences, checks: [first, ...others] }: Finding): string {
  const { id, reason, help, problems = [], trace = [] } = first ?? {};
  const last = trace.at(-1);
  return [
    `<details><summary><code>${escapeMarkup(cut(visibleLine(title)))}</code> <b>${tag}</b></summary>`,
    ...sentences.map(plain),
    ...(id === undefined || id === title ? [] : [code(id)]),
    [reason, help, ...problems].flatMap((line) => (line === undefined ? [] : `- ${plain(line)}`)).join("\n"),
    ...(last === undefined ? [] : [fenced(last.command), fenced(last.response ?? "no answer")]),
    ...(others.length === 0 ? [] : [pluralize(others.length, "more check")]),
    "</details>",
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

function rulesOf(rules: readonly JsonRule[]): string {
  if (rules.length === 0) return "";
  const rows = [...groupBy(rules, ({ resource }) => resource), ["all", rules] as const].map(([resource, of]) => [
    plain(resource),
    ...tallyStates(of).map(({ count }) => String(count)),
  ]);
  return table(["rules", ...Object.values(ruleStates)], 1, rows);
}

function operationsOf(report: ReportModel): string[] {
  const operations = tabledOperations(report);
  if (operations.length === 0) return [];
  const rows = operations.slice(0, maxOperations).map((one) => [code(one.id), ...operationCells(one)]);
  const more = operations.length > maxOperations ? [`and ${countOf(operations.length - maxOperations)} more`] : [];
  return [
    table(["operation", "state", "kept", "exercised", "rules"], 2, rows),
    [...more, ...describeMissing(report)].map((line) => `- ${plain(line)}`).join("\n"),
  ];
}

/** A table whose first columns are to the left, and the others to the right. */
function table(head: readonly string[], left: number, rows: readonly (readonly string[])[]): string {
  const alignment = `|${head.map((_, at) => (at < left ? "---|" : "--:|")).join("")}`;
  const [first = "", ...others] = [head, ...rows].map((row) => `| ${row.join(" | ")} |`);
  return [first, alignment, ...others].join("\n");
}

/**
 * Text without markup: escapes everything that CommonMark or HTML could read as markup. Source: CommonMark 0.31,
 * sections 2.4 and 6.
 */
function plain(text: string): string {
  return escapeMarkup(cut(visibleLine(text)), /[\\`*_{}[\]()#+\-.!|<>&~:@$^=]/g);
}

/** An inline code span, whose delimiter is longer than any row of backticks inside (CommonMark 0.31, section 6.1). */
function code(text: string): string {
  const line = cut(visibleLine(text)).replaceAll("|", "¦");
  const fence = "`".repeat(longestRun(line) + 1);
  return `${fence} ${line} ${fence}`;
}

/** A fenced code block, whose fence is longer than any row of backticks inside (CommonMark 0.31, section 4.5). */
function fenced(text: string): string {
  const shown = cut(visibleText(text).trimEnd());
  const fence = "`".repeat(Math.max(3, longestRun(shown) + 1));
  return `${fence}\n${shown}\n${fence}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

function cut(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText)}…`;
}
