import type { Case } from "./cases.js";
import type { Rule } from "./rule.js";

/** The fields of a workflow that coverage needs. */
export interface WorkflowRules {
  readonly workflowId: string;
  readonly rules: readonly string[];
  /** Rules that it shows only if the response has a value that it may omit. Defaults to none. */
  readonly conditional?: readonly string[];
}

/** The cases and workflows that check a rule. */
export interface CoveredRule {
  readonly rule: Rule;
  /** Cases as `<operationId> <name>`. */
  readonly cases: readonly string[];
  readonly workflows: readonly string[];
  /** The workflows that show the rule only if the response has a value that it may omit. */
  readonly conditional: readonly string[];
}

/** Finds the cases and workflows that name each rule. */
export function coverRules(
  rules: readonly Rule[],
  cases: readonly Case[],
  workflows: readonly WorkflowRules[],
): CoveredRule[] {
  return rules.map((rule) => ({
    rule,
    cases: cases
      .filter(({ rule: id, also, recommendedBy }) => [id, ...also, recommendedBy].includes(rule.id))
      .map(({ operationId, name }) => `${operationId} ${name}`),
    workflows: workflows.filter(({ rules: ids }) => ids.includes(rule.id)).map(({ workflowId }) => workflowId),
    conditional: workflows
      .filter(({ conditional = [] }) => conditional.includes(rule.id))
      .map(({ workflowId }) => workflowId),
  }));
}

/** Describes each coverage problem in a sentence: unchecked rules, and checked rules that are marked untestable. */
export function coverageProblems(covered: readonly CoveredRule[]): string[] {
  return covered.flatMap(({ rule, cases, workflows, conditional }) => {
    const always = [...cases, ...workflows.filter((workflow) => !conditional.includes(workflow))];
    // Whether `shown-by` leads to a derived check is checked elsewhere.
    const checked = cases.length + workflows.length > 0 || rule["shown-by"] !== undefined;
    if (!checked && rule.untestable === undefined)
      return [`${rule.id}: no case or workflow names it. Add one, or give the reason in \`untestable\`.`];
    return always.length > 0 && rule.untestable !== undefined
      ? [`${rule.id}: it is marked untestable, but ${always.join(", ")} checks it. Remove \`untestable\`.`]
      : [];
  });
}
