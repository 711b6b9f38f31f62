import type { Exchange } from "../check.js";
import type { Layout } from "./create-layout.js";
import { cutToWidth } from "./text-width.js";
import type { CheckWith } from "./verdict.js";
import { visibleLine, visibleText } from "./visible-text.js";

/** How many problems of a check, and lines of a response, are shown; the other reports have all of them. */
const mostProblems = 10;
const mostLines = 14;

/** A failed check: what was done, what is wrong, and the last call with its answer. */
export function formatFailure({ id, summary, outcome }: CheckWith<"failed">, layout: Layout): string[] {
  const { style, text } = layout;
  const problems = outcome.problems.slice(0, mostProblems);
  const more = outcome.problems.length - problems.length;
  return [
    `  ${style.bold(visibleLine(id))}`,
    ...text(summary, 2).map(style.dim),
    ...problems.flatMap((problem) => text(problem, 6).map(marked(style.red("-")))),
    ...(more > 0 ? [`      and ${more} more`] : []),
    ...formatTrace(outcome.trace.slice(-1), layout),
  ];
}

/** Calls as commands that repeat them, each with its answer. The commands are left whole, so that they can be copied. */
export function formatTrace(trace: readonly Exchange[], { style, columns }: Layout): string[] {
  return trace.flatMap(({ command, response }) => {
    const lines = visibleText(response ?? "no answer")
      .trimEnd()
      .split("\n");
    const shown = lines.slice(0, mostLines).map((line) => cutToWidth(line.replaceAll("\t", "  "), columns - 6));
    const more = lines.length > mostLines ? [`… ${lines.length - mostLines} more lines`] : [];
    return [
      "",
      `    ${style.dim("$")} ${visibleText(command)}`,
      "",
      ...[...shown, ...more].map((line) => `    ${style.dim("|")} ${line}`),
    ];
  });
}

/** Hangs a mark before the first line. */
function marked(mark: string): (line: string, index: number) => string {
  return (line, index) => (index === 0 ? `    ${mark} ${line.trimStart()}` : line);
}
