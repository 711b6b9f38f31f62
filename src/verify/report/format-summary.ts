import { abbreviateIds, formatFirst, pluralize, rerunOptions } from "../../text/format-values.js";
import { groupBy } from "../../text/group-by.js";
import { visibleLine } from "../../text/visible-text.js";
import { listFailures } from "../model/failures.js";
import { describeStale } from "../model/judge-rules.js";
import { serverDownReason } from "../model/server-down.js";
import { type AnyReport, modelOf, type ReportModel } from "../model/to-json-report.js";
import { createLayout, createStyle, type Layout } from "./create-layout.js";
import { formatCounts } from "./format-counts.js";
import { formatCoverage } from "./format-coverage.js";
import { formatFailures, formatTrace, listTitles } from "./format-failures.js";
import { formatNeeds, formatOperations } from "./format-operations.js";

/** The appearance of a summary. */
export interface SummaryOptions {
  /** Whether to use the colours of a terminal. Defaults to false. */
  readonly colours?: boolean;
  /** The width in columns, at least 60. Defaults to 100. Commands are never broken. */
  readonly columns?: number;
}

/** How many outdated known-failing entries, and reasons why checks could not run, are shown. */
const maxBlocks = 20;

/** How many reasons of known failures are shown. */
const maxReasons = 10;

/**
 * Formats the result of a verification for a terminal: the operations, each broken rule with a check that shows it, outdated known-failing
 * entries, checks that could not run, what skipped checks need, and counts. Similar failures appear once. Passed checks, and failures beyond a maximum, are only counted.
 * No control character of a server reaches the terminal.
 */
export function formatSummary(given: AnyReport, { colours = false, columns = 100 }: SummaryOptions = {}): string {
  const report = modelOf(given);
  const layout = createLayout(createStyle(colours), Math.max(columns, 60));
  const failures = listFailures(report);
  const blocks = [
    formatOperations(report, layout),
    ...formatFailures(failures, layout),
    ...staleBlocks(report, layout),
    ...erroredBlocks(report, layout),
    knownLines(report, layout),
    formatCounts(report, layout),
    listTitles(failures, layout),
    formatCoverage(report, layout),
    formatNeeds(report, layout),
    aboutLines(report, layout),
    verdictLines(report, layout),
  ];
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${shown.join("\n\n")}\n`;
}

function staleBlocks({ stale }: ReportModel, { style, text }: Layout): string[][] {
  return formatFirst(
    stale,
    maxBlocks,
    ({ name, reason, why, nearest }) => [
      `${style.bold(visibleLine(name))}  ${style.red("OUT OF DATE")}`,
      ...text(describeStale(why), 2),
      ...(nearest.length === 0 ? [] : [...text("Similar names:", 2), ...nearest.flatMap((other) => text(other, 4))]),
      ...text(`Reason given: ${reason}`, 2),
    ],
    ({ length }) => {
      const more = pluralize(length, "more entry", "more entries");
      return text(`${more} out of date. --write-known-failing FILE writes the list anew.`);
    },
  );
}

/** Formats one block for each reason, with the first check that it applies to. Causes precede their consequences. */
function erroredBlocks({ checks }: ReportModel, layout: Layout): string[][] {
  const { style, text } = layout;
  const errored = checks.filter(({ verdict }) => verdict === "errored");
  // The help may name parameters of the check, so groups are by reason alone.
  const groups = [...groupBy(errored, ({ reason = "" }) => reason)].sort(
    ([one], [other]) => Number(one === serverDownReason) - Number(other === serverDownReason),
  );
  return formatFirst(
    groups,
    maxBlocks,
    ([reason, [first, ...others]]) => {
      const same = `${pluralize(others.length, "more check")} for the same reason: ${abbreviateIds(others)}`;
      return [
        `${style.bold(visibleLine(first.id))}  ${style.magenta("COULD NOT RUN")}`,
        ...text(first.summary, 2),
        "",
        ...text(reason, 4),
        ...(first.help === undefined ? [] : text(first.help, 4)),
        ...formatTrace(first, layout),
        ...(others.length === 0 ? [] : ["", ...text(same, 2)]),
      ];
    },
    (rest) => {
      const more = pluralize(rest.flatMap(([, ofReason]) => ofReason).length, "more check");
      return text(`${more} could not run. --html FILE describes each.`);
    },
  );
}

/** The checks that are known to fail and failed, by reason. */
function knownLines({ checks }: ReportModel, { style, text }: Layout): string[] {
  const known = checks.filter(({ verdict }) => verdict === "expected");
  if (known.length === 0) return [];
  const byReason = formatFirst(
    [...groupBy(known, ({ knownFailing = "" }) => knownFailing)],
    maxReasons,
    ([reason, ofReason]) => text(`${abbreviateIds(ofReason, 1)}: ${reason}`, 2),
    ({ length }) => [`  and ${pluralize(length, "more reason")}`],
  );
  return [`${style.yellow("KNOWN TO FAIL")}  ${pluralize(known.length, "check")}`, ...byReason.flat().map(style.dim)];
}

/** Says what was verified, and how to run a check again. */
function aboutLines(report: ReportModel, { style, text }: Layout): string[] {
  const { contract, version, target, level, seed, partial, checks, coverage } = report;
  const facts = [
    `${contract} ${version} at ${target}`,
    ...(level === undefined ? [] : [`feature level ${level}${level === 0 ? " (not reported)" : ""}`]),
    ...(partial ? ["some checks only"] : []),
  ];
  const about = text(visibleLine(facts.join(", ")));
  if (coverage !== undefined) return about;
  const order = ["failed", "errored", "stale", "deviating", "expected"] as const;
  const found = checks.filter(({ kind }) => kind !== "operation");
  const first = order.flatMap((wanted) => found.find(({ verdict }) => verdict === wanted) ?? [])[0];
  if (first === undefined) return seed === undefined ? about : [...about, `${style.dim("Seed:")} ${seed}`];
  return [...about, `${style.dim("To run a check again, add:")} ${rerunOptions(first.id, report)}`];
}

function verdictLines({ exitCode, verdict: { word, sentence } }: ReportModel, { style, text }: Layout): string[] {
  const paint = exitCode === 0 ? style.green : exitCode === 1 ? style.red : style.magenta;
  const [first = "", ...rest] = text(sentence, word.length + 2);
  return [`${style.bold(paint(word))}  ${first.trimStart()}`, ...rest];
}
