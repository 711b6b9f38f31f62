import { abbreviateIds, countOf, formatFirst, pluralize } from "../../text/format-values.js";
import { groupBy } from "../../text/group-by.js";
import { breakLine, cutToWidth } from "../../text/text-width.js";
import { visibleLine, visibleText } from "../../text/visible-text.js";
import type { Failure } from "../model/failures.js";
import type { JsonCheck } from "../model/json-report.js";
import type { Layout } from "./create-layout.js";

/** How many failures are described; the others are only listed. */
const maxDescribed = 20;

/** How many kinds of problems are listed besides the described check. */
const maxKinds = 5;

/** How many problems of a check, calls before the last one, and lines of a response are shown. Other reports show all of them. */
const maxProblems = 10;
const maxCalls = 6;
const maxLines = 16;

/** Longer commands are cut, because they would bury the rest. */
const maxCommandLength = 4000;

/** Formats a block for each of the first failures: one check in full, the others by their problems. */
export function formatFailures(failures: readonly Failure[], layout: Layout): string[][] {
  const { style, text } = layout;
  const described = new Map<string, string>();
  return formatFirst(
    failures,
    maxDescribed,
    ({ title, rule, isDeviating, checks }) => {
      const shown = checks.find(({ id }) => described.has(id)) ?? checks[0];
      const where = described.get(shown.id);
      described.set(shown.id, where ?? title);
      return [
        `${style.bold(visibleLine(title))}  ${isDeviating ? style.yellow("DEVIATES") : style.red("FAIL")}`,
        ...(rule === undefined ? [] : text(rule.text, 2)),
        ...(rule?.source === undefined ? [] : text(`Source: ${rule.source}`, 2)),
        "",
        ...(where === undefined ? formatCheck(shown, layout) : text(`${visibleLine(shown.id)}: see ${where}`, 2)),
        ...formatOthers(shown, checks, layout),
      ];
    },
    ({ length }) => text(`${countOf(length)} more are listed below. --html FILE describes each of them.`),
  );
}

/** Lists the titles of all failures if there are several. */
export function listTitles(failures: readonly Failure[], { style, text }: Layout): string[] {
  if (failures.length < 2) return [];
  const byHeading = groupBy(failures, ({ isDeviating }) => (isDeviating ? "deviating" : "broken"));
  return [...byHeading].flatMap(([heading, of]) => [
    style.dim(heading),
    ...text(of.map(({ title }) => visibleLine(title)).join(", "), 2),
  ]);
}

/** The checks that are not described: those with the same problems, then the others by their problems. */
function formatOthers(shown: JsonCheck, checks: readonly JsonCheck[], { columns, text }: Layout): string[] {
  const keyOf = ({ problems = [] }: JsonCheck) => problems.join("\n");
  const kinds = groupBy(
    checks.filter((check) => check !== shown),
    keyOf,
  );
  const same = kinds.get(keyOf(shown)) ?? [];
  kinds.delete(keyOf(shown));
  const different = formatFirst(
    [...kinds.values()],
    maxKinds,
    (ofKind) => {
      const problem = visibleLine(ofKind[0].problems?.[0] ?? "it fails");
      return text(`${abbreviateIds(ofKind, 1)}: ${cutToWidth(problem, 2 * columns)}`, 2);
    },
    (rest) => [`  and ${pluralize(rest.flat().length, "more check")}`],
  );
  const alike = text(`the same in ${pluralize(same.length, "more check")}: ${abbreviateIds(same)}`, 2);
  const lines = [...(same.length === 0 ? [] : alike), ...different.flat()];
  return lines.length === 0 ? [] : ["", ...lines];
}

/** Formats a check with problems: its summary, its problems, and its calls with the last response. */
function formatCheck(check: JsonCheck, layout: Layout): string[] {
  const { style, text } = layout;
  const problems = formatFirst(
    check.problems ?? [],
    maxProblems,
    (problem) => text(problem, 6).map((line, at) => (at === 0 ? `    ${style.red("-")} ${line.trimStart()}` : line)),
    ({ length }) => [`      and ${length} more`],
  );
  return [
    `  ${style.bold(visibleLine(check.id))}`,
    ...text(check.summary, 2).map(style.dim),
    ...problems.flat(),
    ...formatTrace(check, layout),
  ];
}

/**
 * Formats calls as commands that repeat them, and the response to the last. Commands are not broken, so that they can be copied. Long
 * lines of the response are broken and not cut, because the problem may be at their end.
 */
export function formatTrace({ trace = [] }: JsonCheck, layout: Layout): string[] {
  const { style, columns, text } = layout;
  const last = trace.at(-1);
  if (last === undefined) return [];
  const before = trace.length - 1;
  const shown = before > maxCalls ? [last] : trace;
  const response = visibleText(last.response ?? "no answer").trimEnd();
  return [
    "",
    ...(shown.length < trace.length ? text(`After ${pluralize(before, "call")}, which --html FILE shows:`, 4) : []),
    ...shown.flatMap(({ command }) => commandLines(command, layout)),
    "",
    ...firstLines(response.split("\n"), columns - 6).map((line) => `    ${style.dim("|")} ${line}`),
  ];
}

function commandLines(command: string, { style, text }: Layout): string[] {
  const prompt = `    ${style.dim("$")} `;
  if (command.length <= maxCommandLength) return [prompt + visibleText(command)];
  const cut = `The command has ${pluralize(command.length, "character")}; --html FILE has it whole.`;
  return [`${prompt}${visibleText(command.slice(0, 200))}…`, ...text(cut, 6).map(style.dim)];
}

/** The first lines, broken to fit the columns, and the number of lines that are omitted in whole or in part. */
function firstLines(lines: readonly string[], columns: number): string[] {
  const shown: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (shown.length >= maxLines) return [...shown, `… ${pluralize(lines.length - index, "more line")}`];
    const { pieces, isAll } = breakLine(line.replaceAll("\t", "  "), columns, maxLines - shown.length);
    shown.push(...pieces);
    if (isAll) continue;
    const after = lines.length - index - 1;
    return [...shown, `… the rest of this line${after === 0 ? "" : `, and ${pluralize(after, "more line")}`}`];
  }
  return shown;
}
