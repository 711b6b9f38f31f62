import type { Check } from "../check.js";
import type { VerifyReport } from "../verify-report.js";
import { createLayout, type Layout } from "./create-layout.js";
import { createStyle } from "./create-style.js";
import { describeVerdict } from "./describe-verdict.js";
import { formatCounts } from "./format-counts.js";
import { formatFailure, formatTrace } from "./format-failure.js";
import { brokenRules, type Judgement, judgeRules } from "./judge-rules.js";
import { hasOutcome, verdictOf } from "./verdict.js";
import { visibleLine } from "./visible-text.js";

/** How a summary looks. */
export interface SummaryOptions {
  /** Whether to use the colours of a terminal. Defaults to false. */
  readonly colours?: boolean;
  /** How many columns there are. Defaults to 100; fewer than 60 count as 60. Commands are never broken. */
  readonly columns?: number;
}

/**
 * The result of a verification for a terminal: each broken rule with what shows it, what could not run, what is out of date on the
 * known-failing list, and counts. What passes is only counted. Nothing that a server sent reaches the terminal as a control character.
 */
export function formatSummary(report: VerifyReport, { colours = false, columns = 100 }: SummaryOptions = {}): string {
  const layout = createLayout(createStyle(colours), Math.max(columns, 60));
  const judgement = judgeRules(report);
  const blocks = [
    ...brokenBlocks(report, judgement, layout),
    ...staleBlocks(judgement, layout),
    ...erroredBlocks(report, layout),
    formatCounts(report, judgement, layout),
    againLines(report, layout),
    verdictLines(report, judgement, layout),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

/**
 * One block for each broken rule, then one for each operation with a failure that breaks none. A check is described once, and one that
 * is known to fail by its reason only.
 */
function brokenBlocks(report: VerifyReport, { rules, operations }: Judgement, layout: Layout): string[][] {
  const described = new Map<string, string>();
  const block = (title: string, sentence: string | undefined, failing: readonly Check[]) => [
    headline(title, failing, report, layout),
    ...(sentence === undefined ? [] : layout.text(sentence, 2)),
    ...failing.flatMap((check) => {
      const known = report.knownFailing.get(check.id);
      if (known !== undefined) return layout.text(`${check.id}: ${known}`, 2).map(layout.style.dim);
      const elsewhere = described.get(check.id);
      if (elsewhere !== undefined) return ["", ...layout.text(`${visibleLine(check.id)}: see ${elsewhere}`, 2)];
      described.set(check.id, title);
      return hasOutcome(check, "failed") ? ["", ...formatFailure(check, layout)] : [];
    }),
  ];
  return [
    ...rules
      .filter(({ state }) => state === "broken")
      .map(({ id, text, checks }) =>
        block(
          id,
          text,
          checks.filter((check) => brokenRules(check).includes(id)),
        ),
      ),
    ...operations
      .filter(({ state }) => state === "broken")
      .map(({ operation, checks }) =>
        block(
          operation,
          undefined,
          checks.filter(({ outcome }) => outcome.kind === "failed"),
        ),
      ),
  ];
}

function headline(title: string, failing: readonly Check[], { knownFailing }: VerifyReport, { style }: Layout): string {
  const isKnown = failing.every((check) => verdictOf(check, knownFailing) === "expected");
  return `${style.bold(visibleLine(title))}  ${isKnown ? style.yellow("KNOWN TO FAIL") : style.red("FAIL")}`;
}

function staleBlocks({ stale }: Judgement, layout: Layout): string[][] {
  const { style, text } = layout;
  return stale.map(({ name, reason, why, nearest }) => [
    `${style.bold(visibleLine(name))}  ${style.red("OUT OF DATE")}`,
    ...text(
      why === "passes"
        ? "It is listed as known to fail, and passes. Remove it from the list."
        : "It is listed as known to fail, and no check has this name.",
      2,
    ),
    ...(nearest.length === 0 ? [] : [...text("Similar names:", 2), ...nearest.flatMap((other) => text(other, 4))]),
    ...text(`Reason given: ${reason}`, 2),
  ]);
}

function erroredBlocks({ checks }: VerifyReport, layout: Layout): string[][] {
  const { style, text } = layout;
  return checks
    .filter((check) => hasOutcome(check, "errored"))
    .map(({ id, summary, outcome: { reason, help, trace } }) => [
      `${style.bold(visibleLine(id))}  ${style.magenta("COULD NOT RUN")}`,
      ...text(summary, 2),
      "",
      ...text(reason, 4),
      ...(help === undefined ? [] : text(help, 4)),
      ...formatTrace(trace.slice(-1), layout),
    ]);
}

/** How to run one of the checks of interest again. */
function againLines({ checks, knownFailing, seed }: VerifyReport, { style }: Layout): string[] {
  const order = ["failed", "errored", "stale", "expected"] as const;
  const first = order
    .map((verdict) => checks.find((check) => verdictOf(check, knownFailing) === verdict))
    .find((check) => check !== undefined);
  if (first === undefined) return [`${style.dim("Seed:")} ${seed}`];
  const id = visibleLine(first.id);
  return [`${style.dim("To run a check again, add:")} --only '${id.replaceAll("'", "'\\''")}' --seed ${seed}`];
}

function verdictLines(report: VerifyReport, judgement: Judgement, { style, text }: Layout): string[] {
  const { word, sentence } = describeVerdict(report, judgement);
  const paint = { PASS: style.green, FAIL: style.red, "COULD NOT RUN": style.magenta }[word];
  const [first = "", ...rest] = text(sentence, word.length + 2);
  return [`${style.bold(paint(word))}  ${first.trimStart()}`, ...rest];
}
