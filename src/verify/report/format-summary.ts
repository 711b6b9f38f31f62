import { serverDownReason } from "../server-down.js";
import type { VerifyReport } from "../verify-report.js";
import { createLayout, createStyle, type Layout } from "./create-layout.js";
import { describeVerdict } from "./describe-verdict.js";
import { brokenSubjects, formatBroken, formatKnown, listBroken } from "./format-broken.js";
import { formatCounts } from "./format-counts.js";
import { formatCoverage } from "./format-coverage.js";
import { formatTrace } from "./format-failure.js";
import { abbreviateList, pluralize, rerunOptions } from "./format-values.js";
import { groupBy } from "./group-by.js";
import { describeStale, type Judgement, judgeRules } from "./judge-rules.js";
import { hasOutcome, verdictOf } from "./verdict.js";
import { visibleLine } from "./visible-text.js";

/** The appearance of a summary. */
export interface SummaryOptions {
  /** Whether to use the colours of a terminal. Defaults to false. */
  readonly colours?: boolean;
  /** The width in columns, at least 60. Defaults to 100. Commands are never broken. */
  readonly columns?: number;
}

/** How many outdated known-failing entries, and reasons why checks could not run, are shown. */
const maxBlocks = 20;

/**
 * Formats the result of a verification for a terminal: each broken rule with a check that shows it, outdated known-failing entries,
 * checks that could not run, and counts. Similar failures appear once. Passed checks, and failures beyond a maximum, are only counted.
 * No control character of a server reaches the terminal.
 */
export function formatSummary(report: VerifyReport, { colours = false, columns = 100 }: SummaryOptions = {}): string {
  const layout = createLayout(createStyle(colours), Math.max(columns, 60));
  const judgement = judgeRules(report);
  const broken = brokenSubjects(report, judgement);
  const blocks = [
    ...formatBroken(broken, layout),
    ...staleBlocks(judgement, layout),
    ...erroredBlocks(report, layout),
    formatKnown(report, layout),
    formatCounts(report, judgement, layout),
    listBroken(broken, layout),
    formatCoverage(report, layout),
    aboutLines(report, layout),
    verdictLines(report, judgement, layout),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function staleBlocks({ stale }: Judgement, layout: Layout): string[][] {
  const { style, text } = layout;
  const blocks = stale
    .slice(0, maxBlocks)
    .map(({ name, reason, why, nearest }) => [
      `${style.bold(visibleLine(name))}  ${style.red("OUT OF DATE")}`,
      ...text(describeStale(why), 2),
      ...(nearest.length === 0 ? [] : [...text("Similar names:", 2), ...nearest.flatMap((other) => text(other, 4))]),
      ...text(`Reason given: ${reason}`, 2),
    ]);
  const more = stale.length - maxBlocks;
  if (more <= 0) return blocks;
  const sentence = `${pluralize(more, "more entry", "more entries")} out of date. --write-known-failing FILE writes the list anew.`;
  return [...blocks, text(sentence, 0)];
}

/** Formats one block for each reason, with the first check that it applies to. Causes precede their consequences. */
function erroredBlocks({ checks }: VerifyReport, layout: Layout): string[][] {
  const { style, text } = layout;
  const errored = checks.filter((check) => hasOutcome(check, "errored"));
  // The help may name parameters of the check, so groups are by reason alone.
  const groups = [...groupBy(errored, ({ outcome: { reason } }) => reason).values()].sort(
    ([one], [other]) =>
      Number(one?.outcome.reason === serverDownReason) - Number(other?.outcome.reason === serverDownReason),
  );
  const blocks = groups.slice(0, maxBlocks).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { reason, help, trace } = first.outcome;
    const same = `${pluralize(others.length, "more check")} for the same reason: ${abbreviateList(others.map(({ id }) => id))}`;
    return [
      [
        `${style.bold(visibleLine(first.id))}  ${style.magenta("COULD NOT RUN")}`,
        ...text(first.summary, 2),
        "",
        ...text(reason, 4),
        ...(help === undefined ? [] : text(help, 4)),
        ...formatTrace(trace, layout),
        ...(others.length === 0 ? [] : ["", ...text(same, 2)]),
      ],
    ];
  });
  const more = groups.slice(maxBlocks).flat().length;
  if (more === 0) return blocks;
  return [...blocks, text(`${pluralize(more, "more check")} could not run. --html FILE describes each.`, 0)];
}

/** Says what was verified, and how to run a check again. */
function aboutLines(report: VerifyReport, { style, text }: Layout): string[] {
  const { contract, version, target, level, seed, partial, checks, knownFailing, coverage } = report;
  const facts = [
    `${contract} ${version} at ${target}`,
    ...(level === undefined ? [] : [`feature level ${level}${level === 0 ? " (not reported)" : ""}`]),
    ...(partial === true ? ["some checks only"] : []),
  ];
  const order = ["failed", "errored", "stale", "deviating", "expected"] as const;
  const first = order
    .map((verdict) => checks.find((check) => verdictOf(check, knownFailing) === verdict))
    .find((check) => check !== undefined);
  if (coverage !== undefined) return text(visibleLine(facts.join(", ")), 0);
  const again =
    first === undefined
      ? seed === undefined
        ? []
        : [`${style.dim("Seed:")} ${seed}`]
      : [`${style.dim("To run a check again, add:")} ${rerunOptions(first.id, report)}`];
  return [...text(visibleLine(facts.join(", ")), 0), ...again];
}

function verdictLines(report: VerifyReport, judgement: Judgement, { style, text }: Layout): string[] {
  const { word, sentence } = describeVerdict(report, judgement);
  const paint = {
    PASS: style.green,
    FAIL: style.red,
    "COULD NOT RUN": style.magenta,
    STOPPED: style.magenta,
    INCONCLUSIVE: style.magenta,
  }[word];
  const [first = "", ...rest] = text(sentence, word.length + 2);
  return [`${style.bold(paint(word))}  ${first.trimStart()}`, ...rest];
}
