import type { VerifyReport } from "../verify-report.js";
import type { Layout } from "./create-layout.js";
import { formatFailure } from "./format-failure.js";
import { abbreviateList, pluralize } from "./format-values.js";
import { groupBy } from "./group-by.js";
import { brokenRules, type Judgement } from "./judge-rules.js";
import { cutToWidth } from "./text-width.js";
import { type CheckWith, hasOutcome, verdictOf } from "./verdict.js";
import { visibleLine } from "./visible-text.js";

/** What is broken: a rule, or an operation with failures that break none. */
export interface BrokenSubject {
  readonly title: string;
  /** The sentence of the rule. */
  readonly sentence?: string;
  /** Where the requirements state the rule. */
  readonly source?: string;
  /** The checks that show it and are not known to fail, one at least. */
  readonly failing: readonly CheckWith<"failed">[];
}

/** So many subjects are described; the others are only listed. */
const mostDescribed = 20;

/** So many sorts of problems are told apart beside the check that is described. */
const mostSorts = 5;

/** So many reasons of known failures are shown. */
const mostReasons = 10;

/** What is broken and not known to be: rules first, then operations. */
export function brokenSubjects(report: VerifyReport, { rules, operations }: Judgement): BrokenSubject[] {
  const subjects: BrokenSubject[] = [
    ...rules.map(({ id, text, source, checks }) => ({
      title: id,
      sentence: text,
      ...(source === undefined ? {} : { source }),
      failing: checks.filter((check) => hasOutcome(check, "failed")).filter((check) => brokenRules(check).includes(id)),
    })),
    ...operations.map(({ operation, checks }) => ({
      title: operation,
      failing: checks.filter((check) => hasOutcome(check, "failed")),
    })),
  ];
  return subjects
    .map((subject) => ({ ...subject, failing: subject.failing.filter(({ id }) => !report.knownFailing.has(id)) }))
    .filter(({ failing }) => failing.length > 0);
}

/** A block for each of the first subjects, in which one check is described and the others are told by their problems. */
export function formatBroken(subjects: readonly BrokenSubject[], layout: Layout): string[][] {
  const { style, text } = layout;
  const described = new Map<string, string>();
  const blocks = subjects.slice(0, mostDescribed).map(({ title, sentence, source, failing }) => {
    const elsewhere = failing.find(({ id }) => described.has(id));
    const shown = elsewhere ?? failing[0];
    if (shown === undefined) return [];
    const where = described.get(shown.id);
    described.set(shown.id, where ?? title);
    return [
      `${style.bold(visibleLine(title))}  ${style.red("FAIL")}`,
      ...(sentence === undefined ? [] : text(sentence, 2)),
      ...(source === undefined ? [] : text(`Source: ${source}`, 2)),
      "",
      ...(where === undefined ? formatFailure(shown, layout) : text(`${visibleLine(shown.id)}: see ${where}`, 2)),
      ...formatOthers(shown, failing, layout),
    ];
  });
  const more = subjects.length - mostDescribed;
  if (more <= 0) return blocks;
  const count = more.toLocaleString("en-US");
  return [...blocks, text(`${count} more are broken, listed below. --html FILE describes every failure.`, 0)];
}

/** The checks of a subject that are not described: those with the same problems, then the others by their problems. */
function formatOthers(
  shown: CheckWith<"failed">,
  failing: readonly CheckWith<"failed">[],
  { columns, text }: Layout,
): string[] {
  const sorts = groupBy(
    failing.filter((check) => check !== shown),
    problemsOf,
  );
  const same = sorts.get(problemsOf(shown)) ?? [];
  sorts.delete(problemsOf(shown));
  const told = [...sorts.values()].slice(0, mostSorts).flatMap((checks) => {
    const problem = visibleLine(checks[0]?.outcome.problems[0] ?? "it fails");
    return text(`${abbreviateList(idsOf(checks), 1)}: ${cutToWidth(problem, 2 * columns)}`, 2);
  });
  const rest = [...sorts.values()].slice(mostSorts).flat().length;
  const lines = [
    ...(same.length === 0
      ? []
      : text(`the same in ${pluralize(same.length, "more check")}: ${abbreviateList(idsOf(same))}`, 2)),
    ...told,
    ...(rest === 0 ? [] : [`  and ${pluralize(rest, "more check")}`]),
  ];
  return lines.length === 0 ? [] : ["", ...lines];
}

/** The names of all that is broken, when it is more than one. */
export function listBroken(subjects: readonly BrokenSubject[], { style, text }: Layout): string[] {
  if (subjects.length < 2) return [];
  const names = subjects.map(({ title }) => visibleLine(title)).join(", ");
  return [style.dim("broken"), ...text(names, 2)];
}

/** The checks that failed and are known to, by their reasons. */
export function formatKnown(report: VerifyReport, { style, text }: Layout): string[] {
  const { checks, knownFailing } = report;
  const known = checks.filter((check) => verdictOf(check, knownFailing) === "expected");
  if (known.length === 0) return [];
  const byReason = [...groupBy(known, ({ id }) => knownFailing.get(id) ?? "")];
  const more = byReason.length - mostReasons;
  return [
    `${style.yellow("KNOWN TO FAIL")}  ${pluralize(known.length, "check")}`,
    ...byReason
      .slice(0, mostReasons)
      .flatMap(([reason, ofReason]) => text(`${abbreviateList(idsOf(ofReason), 1)}: ${reason}`, 2))
      .map(style.dim),
    ...(more > 0 ? [style.dim(`  and ${pluralize(more, "more reason")}`)] : []),
  ];
}

function problemsOf({ outcome }: CheckWith<"failed">): string {
  return outcome.problems.join("\n");
}

function idsOf(checks: readonly { readonly id: string }[]): string[] {
  return checks.map(({ id }) => id);
}
