import type { Exchange } from "../check.js";
import type { Layout } from "./create-layout.js";
import { pluralize } from "./format-values.js";
import { breakLine } from "./text-width.js";
import type { CheckWith } from "./verdict.js";
import { visibleLine, visibleText } from "./visible-text.js";

/**
 * How many problems of a check, calls before the last one, and lines of a response are shown. Other reports show all of
 * them.
 */
const maxProblems = 10;
const maxCalls = 6;
const maxLines = 16;

/** Longer commands are cut, because they would bury the rest. */
const maxCommandLength = 4000;

/** Formats a check with problems: its summary, its problems, and its calls with the last response. */
export function formatFailure({ id, summary, outcome }: CheckWith<"failed" | "deviated">, layout: Layout): string[] {
  const { style, text } = layout;
  const problems = outcome.problems.slice(0, maxProblems);
  const more = outcome.problems.length - problems.length;
  return [
    `  ${style.bold(visibleLine(id))}`,
    ...text(summary, 2).map(style.dim),
    ...problems.flatMap((problem) => text(problem, 6).map(marked(style.red("-")))),
    ...(more > 0 ? [`      and ${more} more`] : []),
    ...formatTrace(outcome.trace, layout),
  ];
}

/**
 * Formats calls as commands that repeat them, and the response to the last. Commands are not broken, so that they can be copied. Long
 * lines of the response are broken and not cut, because the problem may be at their end.
 */
export function formatTrace(trace: readonly Exchange[], layout: Layout): string[] {
  const { style, columns, text } = layout;
  const last = trace.at(-1);
  if (last === undefined) return [];
  const before = trace.length - 1;
  const shown = before > maxCalls ? [last] : trace;
  const lines = visibleText(last.response ?? "no answer")
    .trimEnd()
    .split("\n");
  return [
    "",
    ...(shown.length < trace.length ? text(`After ${pluralize(before, "call")}, which --html FILE shows:`, 4) : []),
    ...shown.flatMap(({ command }) => commandLines(command, layout)),
    "",
    ...firstLines(lines, columns - 6).map((line) => `    ${style.dim("|")} ${line}`),
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

/** Puts a mark before the first line. */
function marked(mark: string): (line: string, index: number) => string {
  return (line, index) => (index === 0 ? `    ${mark} ${line.trimStart()}` : line);
}
