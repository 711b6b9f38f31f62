import type { VerifyReport } from "../verify-report.js";
import type { Layout } from "./create-layout.js";
import { formatFailure } from "./format-failure.js";
import { abbreviateList, pluralize } from "./format-values.js";
import { groupBy } from "./group-by.js";
import { brokenRules, type Judgement } from "./judge-rules.js";
import { cutToWidth } from "./text-width.js";
import { type CheckWith, hasProblems, verdictOf } from "./verdict.js";
import { visibleLine } from "./visible-text.js";

type ProblemCheck = CheckWith<"failed" | "deviated">;

/** A broken rule, or an operation with failures that break no rule. */
export interface BrokenSubject {
  readonly title: string;
  /** The rule as a sentence. */
  readonly sentence?: string;
  /** Where the requirements state the rule. */
  readonly source?: string;
  /** Whether the rule is a recommendation. */
  readonly isDeviating: boolean;
  /** The checks with problems that are not known to fail; at least one. */
  readonly failing: readonly ProblemCheck[];
}

/** How many subjects are described; the others are only listed. */
const maxDescribed = 20;

/** How many kinds of problems are listed besides the described check. */
const maxKinds = 5;

/** How many reasons of known failures are shown. */
const maxReasons = 10;

/** The broken rules, then the operations, then the recommendations that are not followed, without known failures. */
export function brokenSubjects(report: VerifyReport, { rules, operations }: Judgement): BrokenSubject[] {
  const subjects: BrokenSubject[] = [
    ...rules.map(({ id, text, source, state, checks }) => ({
      title: id,
      isDeviating: state === "deviating",
      sentence: text,
      ...(source === undefined ? {} : { source }),
      failing: checks.filter(hasProblems).filter((check) => brokenRules(check).includes(id)),
    })),
    ...operations.map(({ operation, checks }) => ({
      title: operation,
      isDeviating: false,
      failing: checks.filter(hasProblems),
    })),
  ];
  const found = subjects
    .map((subject) => ({ ...subject, failing: subject.failing.filter(({ id }) => !report.knownFailing.has(id)) }))
    .filter(({ failing }) => failing.length > 0);
  return [...found.filter(({ isDeviating }) => !isDeviating), ...found.filter(({ isDeviating }) => isDeviating)];
}

/** Formats a block for each of the first subjects: one check in full, the others by their problems. */
export function formatBroken(subjects: readonly BrokenSubject[], layout: Layout): string[][] {
  const { style, text } = layout;
  const described = new Map<string, string>();
  const blocks = subjects.slice(0, maxDescribed).map(({ title, sentence, source, isDeviating, failing }) => {
    const elsewhere = failing.find(({ id }) => described.has(id));
    const shown = elsewhere ?? failing[0];
    if (shown === undefined) return [];
    const where = described.get(shown.id);
    described.set(shown.id, where ?? title);
    return [
      `${style.bold(visibleLine(title))}  ${isDeviating ? style.yellow("DEVIATES") : style.red("FAIL")}`,
      ...(sentence === undefined ? [] : text(sentence, 2)),
      ...(source === undefined ? [] : text(`Source: ${source}`, 2)),
      "",
      ...(where === undefined ? formatFailure(shown, layout) : text(`${visibleLine(shown.id)}: see ${where}`, 2)),
      ...formatOthers(shown, failing, layout),
    ];
  });
  const more = subjects.length - maxDescribed;
  if (more <= 0) return blocks;
  const count = more.toLocaleString("en-US");
  return [...blocks, text(`${count} more are listed below. --html FILE describes each of them.`, 0)];
}

/** The checks that are not described: those with the same problems, then the others by their problems. */
function formatOthers(shown: ProblemCheck, failing: readonly ProblemCheck[], { columns, text }: Layout): string[] {
  const kinds = groupBy(
    failing.filter((check) => check !== shown),
    problemsOf,
  );
  const same = kinds.get(problemsOf(shown)) ?? [];
  kinds.delete(problemsOf(shown));
  const otherProblems = [...kinds.values()].slice(0, maxKinds).flatMap((checks) => {
    const problem = visibleLine(checks[0]?.outcome.problems[0] ?? "it fails");
    return text(`${abbreviateList(idsOf(checks), 1)}: ${cutToWidth(problem, 2 * columns)}`, 2);
  });
  const rest = [...kinds.values()].slice(maxKinds).flat().length;
  const lines = [
    ...(same.length === 0
      ? []
      : text(`the same in ${pluralize(same.length, "more check")}: ${abbreviateList(idsOf(same))}`, 2)),
    ...otherProblems,
    ...(rest === 0 ? [] : [`  and ${pluralize(rest, "more check")}`]),
  ];
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Lists the names of all subjects if there are several. */
export function listBroken(subjects: readonly BrokenSubject[], { style, text }: Layout): string[] {
  if (subjects.length < 2) return [];
  const list = (heading: string, of: readonly BrokenSubject[]) =>
    of.length === 0 ? [] : [style.dim(heading), ...text(of.map(({ title }) => visibleLine(title)).join(", "), 2)];
  return [
    ...list(
      "broken",
      subjects.filter(({ isDeviating }) => !isDeviating),
    ),
    ...list(
      "deviating",
      subjects.filter(({ isDeviating }) => isDeviating),
    ),
  ];
}

/** The checks that are known to fail and failed, by reason. */
export function formatKnown(report: VerifyReport, { style, text }: Layout): string[] {
  const { checks, knownFailing } = report;
  const known = checks.filter((check) => verdictOf(check, knownFailing) === "expected");
  if (known.length === 0) return [];
  const byReason = [...groupBy(known, ({ id }) => knownFailing.get(id) ?? "")];
  const more = byReason.length - maxReasons;
  return [
    `${style.yellow("KNOWN TO FAIL")}  ${pluralize(known.length, "check")}`,
    ...byReason
      .slice(0, maxReasons)
      .flatMap(([reason, ofReason]) => text(`${abbreviateList(idsOf(ofReason), 1)}: ${reason}`, 2))
      .map(style.dim),
    ...(more > 0 ? [style.dim(`  and ${pluralize(more, "more reason")}`)] : []),
  ];
}

function problemsOf({ outcome }: ProblemCheck): string {
  return outcome.problems.join("\n");
}

function idsOf(checks: readonly { readonly id: string }[]): string[] {
  return checks.map(({ id }) => id);
}
