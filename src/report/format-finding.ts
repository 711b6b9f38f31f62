import { abbreviateIds, formatFirst, pluralize } from "../text/format-values.js";
import { groupBy } from "../text/group-by.js";
import { breakLine, cutToWidth } from "../text/text-width.js";
import { visibleLine, visibleText } from "../text/visible-text.js";
import type { Layout, Style } from "./layout.js";
import type { Finding } from "./model/finding.js";
import type { JsonCheck } from "./model/json-report.js";

/** How many kinds of problems are listed besides the described check. */
const maxKinds = 5;

/** How many problems of a check, calls before the last one, and lines of a response are shown. Other reports show all of them. */
const maxProblems = 10;
const maxCalls = 6;
const maxLines = 16;

/** Longer commands are cut, because they would bury the rest. */
const maxCommandLength = 4000;

const colours: Readonly<Record<Finding["tag"], keyof Style>> = {
  FAIL: "red",
  DEVIATES: "yellow",
  "OUT OF DATE": "red",
  "COULD NOT RUN": "magenta",
  "KNOWN TO FAIL": "yellow",
};

/**
 * Formats a finding: one check in full, the others by their problems. `described` names the finding that describes a check; it is
 * extended.
 */
export function formatFinding(finding: Finding, described: Map<string, string>, layout: Layout): string[] {
  const { tag, title, sentences, checks } = finding;
  const { style, text } = layout;
  const head = [
    `${style.bold(visibleLine(title))}  ${style[colours[tag]](tag)}`,
    ...sentences.flatMap((sentence) => text(sentence, 2)),
  ];
  const shown = checks.find(({ id }) => described.has(id)) ?? checks[0];
  if (shown === undefined || tag === "OUT OF DATE") return head;
  const where = described.get(shown.id);
  described.set(shown.id, where ?? title);
  if (tag === "COULD NOT RUN") {
    const { reason = "", help } = shown;
    const why = [...text(reason, 4), ...(help === undefined ? [] : text(help, 4))];
    const others = checks.slice(1);
    const same = `${pluralize(others.length, "more check")} for the same reason: ${abbreviateIds(others)}`;
    return [...head, "", ...why, ...formatTrace(shown, layout), ...(others.length === 0 ? [] : ["", ...text(same, 2)])];
  }
  return [
    ...head,
    "",
    ...(where === undefined ? formatCheck(shown, layout) : text(`${visibleLine(shown.id)}: see ${where}`, 2)),
    ...formatOthers(shown, checks, layout),
  ];
}

/** The checks that are not described: those with the same problems, then the others by their problems. */
function formatOthers(shown: JsonCheck, checks: readonly JsonCheck[], { columns, text }: Layout): string[] {
  const keyOf = ({ operation, problems = [] }: JsonCheck) => problems.join("\n").replaceAll(operation, "*");
  const others = checks.filter((check) => check !== shown);
  const same = others.filter((check) => keyOf(check) === keyOf(shown));
  const kinds = groupBy(
    others.filter((check) => !same.includes(check)),
    keyOf,
  );
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
function formatTrace({ trace = [] }: JsonCheck, { style, columns, text }: Layout): string[] {
  const last = trace.at(-1);
  if (last === undefined) return [];
  const before = trace.length - 1;
  const shown = before > maxCalls ? [last] : trace;
  const response = visibleText(last.response ?? "no answer").trimEnd();
  const prompt = `    ${style.dim("$")} `;
  return [
    "",
    ...(shown.length < trace.length ? text(`After ${pluralize(before, "call")}, which --html FILE shows:`, 4) : []),
    ...shown.flatMap(({ command }) => {
      if (command.length <= maxCommandLength) return [prompt + visibleText(command).replaceAll("\n", "\n      ")];
      const cut = `The command has ${pluralize(command.length, "character")}; --html FILE has it whole.`;
      return [`${prompt}${visibleText(command.slice(0, 200))}…`, ...text(cut, 6).map(style.dim)];
    }),
    "",
    ...firstLines(response.split("\n"), columns - 6).map((line) => `    ${style.dim("|")} ${line}`),
  ];
}

/** Breaks a line like `breakLine`, but after a space or comma in the last half of a piece, if there is one. */
function breakAtTokens(line: string, columns: number, maxPieces: number): { pieces: string[]; isAll: boolean } {
  const pieces: string[] = [];
  let rest = line;
  while (pieces.length < maxPieces) {
    const {
      pieces: [piece = ""],
      isAll,
    } = breakLine(rest, columns, 1);
    if (isAll) return { pieces: [...pieces, piece], isAll };
    const end = Math.max(piece.lastIndexOf(" "), piece.lastIndexOf(",")) + 1;
    pieces.push(piece.slice(0, end > piece.length / 2 ? end : undefined).trimEnd());
    rest = rest.slice(end > piece.length / 2 ? end : piece.length);
  }
  return { pieces, isAll: rest === "" };
}

/** The first lines, broken to fit the columns, and the number of lines that are omitted in whole or in part. */
function firstLines(lines: readonly string[], columns: number): string[] {
  const shown: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (shown.length >= maxLines) return [...shown, `… ${pluralize(lines.length - index, "more line")}`];
    const { pieces, isAll } = breakAtTokens(line.replaceAll("\t", "  "), columns, maxLines - shown.length);
    shown.push(...pieces);
    if (isAll) continue;
    const after = lines.length - index - 1;
    return [...shown, `… the rest of this line${after === 0 ? "" : `, and ${pluralize(after, "more line")}`}`];
  }
  return shown;
}
