import type { MarkdownIt } from "markdown-it";
import MarkdownItParser from "markdown-it";

/** Maximum nesting of quotes and lists; a list takes two levels. */
const maxBlockLevel = 40;
// Short rows of a table are padded with empty cells, so a few characters could create very many.
const maxTableCells = 10_000;

/**
 * A markdown-it plugin that bounds work and output in proportion to the input. Deeply nested text becomes plain paragraphs
 * (markdown-it alone would drop it), and a table with too many cells stays text. Reference definitions are disabled, because
 * each use would repeat the whole URL, and images, so that showing a message loads nothing from elsewhere.
 */
export function limits(md: MarkdownIt): void {
  const paragraph = builtInBlockRule("paragraph");
  const table = builtInBlockRule("table");
  md.disable(["reference", "image"]);
  md.set({ maxNesting: maxBlockLevel + 10 });
  md.block.ruler.at(
    "table",
    (state, startLine, endLine, silent) => {
      if (startLine + 2 > endLine) return false;
      const delimiters = state.src.slice(state.bMarks[startLine + 1], state.eMarks[startLine + 1]);
      const columns = delimiters.split("|").length;
      return columns * (endLine - startLine) <= maxTableCells && table(state, startLine, endLine, silent);
    },
    { alt: ["paragraph", "reference"] },
  );
  md.block.ruler.before("table", "deep", (state, startLine, endLine, silent) => {
    return !silent && state.level >= maxBlockLevel && paragraph(state, startLine, endLine, silent);
  });
}

/** A markdown-it plugin that keeps the language of a code block only when it is a plain name. */
export function codeLanguage(md: MarkdownIt): void {
  md.core.ruler.push("code_language", (state) => {
    for (const token of state.tokens) {
      if (token.type === "fence") token.info = /^\s*([\w+#.-]{1,40})(?=\s|$)/.exec(token.info)?.[1] ?? "";
    }
  });
}

/** A block rule of markdown-it. */
export type BlockRule = Parameters<MarkdownIt["block"]["ruler"]["at"]>[1];
/** An inline rule of markdown-it. */
export type InlineRule = Parameters<MarkdownIt["inline"]["ruler"]["at"]>[1];

function singleRule<Rule>(rules: readonly Rule[], name: string): Rule {
  const [rule] = rules;
  if (rule === undefined || rules.length > 1) throw new Error(`markdown-it has no rule ${name}`);
  return rule;
}

/** Returns a built-in block rule of markdown-it, for a rule that restricts it. Throws for an unknown name. */
function builtInBlockRule(name: string): BlockRule {
  const { ruler } = new MarkdownItParser().block;
  ruler.enableOnly(name);
  return singleRule(ruler.getRules(""), name);
}

/** Returns a built-in inline rule of markdown-it, for a rule that extends it. Throws for an unknown name. */
export function builtInInlineRule(name: string): InlineRule {
  const { ruler } = new MarkdownItParser().inline;
  ruler.enableOnly(name);
  return singleRule(ruler.getRules(""), name);
}
