import { countOf, formatDuration, formatFirst, pluralize } from "../../text/format-values.js";
import { groupBy } from "../../text/group-by.js";
import { visibleLine, visibleText } from "../../text/visible-text.js";
import { commandOf } from "../model/command-of.js";
import { type Failure, listFailures } from "../model/failures.js";
import type { JsonRule } from "../model/json-report.js";
import { tabledOperations } from "../model/judge-operations.js";
import { describeStale } from "../model/judge-rules.js";
import { describeNeed } from "../model/list-needs.js";
import { type AnyReport, modelOf, type ReportModel } from "../model/to-json-report.js";
import { operationStates, ruleStates, tallyStates } from "../model/verdict.js";
import { countsOf, describeBeyond, listReasons } from "./format-operations.js";

/** How many broken rules, stale entries and checks that could not run are described. A job summary holds at most 1 MiB. */
const maxDescribed = 50;
/** How many operations are listed. */
const maxOperations = 200;
/** How much of a request, response or command is shown, in characters. */
const maxText = 2000;

/**
 * Formats the result of a verification as GitHub Flavored Markdown, for a job summary or a comment: the verdict, the operations, each broken
 * rule with a check that shows it, the rules by resource, and what skipped checks need. Texts of the server cannot form Markdown or HTML.
 */
export function formatMarkdown(given: AnyReport): string {
  const report = modelOf(given);
  const { contract, level, target, version, checks, durationMs, verdict, stale, rules } = report;
  const about = [`${contract} ${version}`, target, ...(level === undefined ? [] : [`feature level ${level}`])];
  const errored = checks.filter((check) => check.verdict === "errored");
  const blocks = [
    `## ${verdict.word}: ${commandOf(report)}`,
    plain(verdict.sentence),
    plain(`${about.join(", ")}; ${pluralize(checks.length, "check")} in ${formatDuration(durationMs)}`),
    operationsOf(report),
    ...firstOf(listFailures(report), describeFailure, ["broken rule", "broken rules"]),
    ...firstOf(
      stale,
      ({ name, why, reason }) => `- ${code(name)}: ${plain(`${describeStale(why)} Reason given: ${reason}`)}`,
      ["outdated entry", "outdated entries"],
    ),
    ...firstOf(
      errored,
      ({ id, reason = "", help = "" }) => `- ${code(id)} could not run: ${plain(`${reason} ${help}`)}`,
      ["check that could not run", "checks that could not run"],
    ),
    tableOf(rules),
    needsOf(report),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

function firstOf<Item>(
  items: readonly Item[],
  format: (item: Item) => string,
  [one, many]: readonly [one: string, many: string],
): string[] {
  return formatFirst(
    items,
    maxDescribed,
    format,
    (rest) => `and ${pluralize(rest.length, `more ${one}`, `more ${many}`)}`,
  );
}

function describeFailure({ title, rule, isDeviating, checks: [first, ...others] }: Failure): string {
  const last = first.trace?.at(-1);
  return [
    `<details><summary><code>${html(visibleLine(title))}</code> ${isDeviating ? "deviates" : "<b>FAIL</b>"}</summary>`,
    ...(rule === undefined ? [] : [plain(rule.text)]),
    ...(rule?.source === undefined ? [] : [plain(`Source: ${rule.source}`)]),
    code(first.id),
    (first.problems ?? []).map((problem) => `- ${plain(problem)}`).join("\n"),
    ...(last === undefined ? [] : [fenced(last.command), fenced(last.response ?? "no answer")]),
    ...(others.length === 0 ? [] : [`${pluralize(others.length, "more check")} with problems`]),
    "</details>",
  ].join("\n\n");
}

function tableOf(rules: readonly JsonRule[]): string {
  if (rules.length === 0) return "";
  const rows = [...groupBy(rules, ({ resource }) => resource), ["all", rules] as const].map(([resource, of]) => {
    const counts = tallyStates(of).map(({ count }) => count);
    return `| ${plain(resource)} | ${counts.join(" | ")} |`;
  });
  const names = Object.values(ruleStates);
  return [`| rules | ${names.join(" | ")} |`, `|---|${names.map(() => "--:|").join("")}`, ...rows].join("\n");
}

function operationsOf(report: ReportModel): string {
  const operations = tabledOperations(report);
  if (operations.length === 0) return "";
  const rows = operations
    .slice(0, maxOperations)
    .map((one) => `| ${code(one.id)} | ${operationStates[one.state]} | ${countsOf(one).join(" | ")} |`);
  const more = operations.length > maxOperations ? [`and ${countOf(operations.length - maxOperations)} more`] : [];
  return [
    ["| operation | state | kept | exercised | rules |", "|---|---|--:|--:|--:|", ...rows].join("\n"),
    [...more, ...listReasons(operations)].map((line) => `- ${plain(line)}`).join("\n"),
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

function needsOf(report: ReportModel): string {
  const { needs = [] } = report;
  const lines = firstOf(needs, (need) => `- ${plain(describeNeed(need))}`, ["need", "needs"]);
  const beyond = describeBeyond(report);
  return [
    ...(needs.length === 0 ? [] : ["What to do next:", lines.join("\n")]),
    ...(beyond === undefined ? [] : [plain(beyond)]),
  ].join("\n\n");
}

/**
 * Text without markup: escapes everything that CommonMark or HTML could read as markup. Source: CommonMark 0.31,
 * sections 2.4 and 6.
 */
function plain(text: string): string {
  return cut(visibleLine(text)).replace(
    /[\\`*_{}[\]()#+\-.!|<>&~:@$^=]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
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

function html(text: string): string {
  return cut(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function cut(text: string): string {
  return text.length <= maxText ? text : `${text.slice(0, maxText)}…`;
}
