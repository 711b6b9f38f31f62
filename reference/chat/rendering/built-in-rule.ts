import MarkdownItParser, { type MarkdownIt } from "markdown-it";

/** A rule that reads a block, as markdown-it calls it. */
export type BlockRule = Parameters<MarkdownIt["block"]["ruler"]["at"]>[1];
/** A rule that reads inline markup, as markdown-it calls it. */
export type InlineRule = Parameters<MarkdownIt["inline"]["ruler"]["at"]>[1];

function only<Rule>(rules: readonly Rule[], name: string): Rule {
  const [rule] = rules;
  if (rule === undefined || rules.length > 1) throw new Error(`markdown-it has no rule ${name}`);
  return rule;
}

/** A block rule of markdown-it, to be called from a rule that restricts it. Throws when there is none of that name. */
export function builtInBlockRule(name: string): BlockRule {
  const { ruler } = new MarkdownItParser().block;
  ruler.enableOnly(name);
  return only(ruler.getRules(""), name);
}

/** An inline rule of markdown-it, to be called from a rule that extends it. Throws when there is none of that name. */
export function builtInInlineRule(name: string): InlineRule {
  const { ruler } = new MarkdownItParser().inline;
  ruler.enableOnly(name);
  return only(ruler.getRules(""), name);
}
