import type { ExampleObject } from "../../../src/contract/chat/document.js";
import type { Visitor, VisitorContext } from "../visitor.js";

interface ExampleHolder {
  examples?: Record<string, ExampleObject | { $ref: string }>;
}

/**
 * Writes the examples of parameters and media types out in place. A case file holds two examples, and the bundler would name
 * the components that it makes of them after the halves, `request` and `response`.
 */
export function inlineExamples(): Visitor {
  const inline = ({ examples }: ExampleHolder, context: VisitorContext) => {
    if (Array.isArray(examples)) return;
    for (const [name, example] of Object.entries(examples ?? {})) {
      const { node } = context.resolve<ExampleObject>(example);
      if (examples !== undefined && node !== undefined) examples[name] = node;
    }
  };
  return { Parameter: { enter: inline }, MediaType: { enter: inline } };
}
