import type { MarkdownIt } from "markdown-it";
import { builtInBlockRule } from "./built-in-rule.js";

/** Levels of quotes and lists that are read as such; a list takes two levels. */
const MAX_BLOCK_LEVEL = 40;
// A table fills short rows with empty cells, so a few characters could ask for very many.
const MAX_TABLE_CELLS = 10_000;

/**
 * A markdown-it plugin that keeps the work and the output in proportion to the input: below a level of nesting what
 * is left is plain paragraphs (markdown-it alone would drop it), and a table whose rows could have too many cells
 * stays text. Reference definitions are off: each use would repeat the whole URL.
 */
export function limits(md: MarkdownIt): void {
  const paragraph = builtInBlockRule("paragraph");
  const table = builtInBlockRule("table");
  md.disable("reference");
  md.set({ maxNesting: MAX_BLOCK_LEVEL + 10 });
  md.block.ruler.at(
    "table",
    (state, startLine, endLine, silent) => {
      if (startLine + 2 > endLine) return false;
      const delimiters = state.src.slice(state.bMarks[startLine + 1], state.eMarks[startLine + 1]);
      const columns = delimiters.split("|").length;
      return columns * (endLine - startLine) <= MAX_TABLE_CELLS && table(state, startLine, endLine, silent);
    },
    { alt: ["paragraph", "reference"] },
  );
  md.block.ruler.before("table", "deep", (state, startLine, endLine, silent) => {
    return !silent && state.level >= MAX_BLOCK_LEVEL && paragraph(state, startLine, endLine, silent);
  });
}
