import type { Case } from "./cases.js";
import type { ContractDocument } from "./document.js";
import { listOperations } from "./operations.js";

/** One statement of the requirements that a server can obey or break. */
export interface Rule {
  readonly id: string;
  readonly text: string;
  /** The feature level from which the rule holds. Left out: always. */
  readonly since?: number;
  /** The feature level from which it no longer holds. Left out: it still does. */
  readonly until?: number;
  /** Why no call and no sequence of calls can show the rule. */
  readonly untestable?: string;
}

/** Every rule of the contract, those of no single operation first. */
export function listRules(document: ContractDocument): Rule[] {
  return [
    ...(document["x-rules"] ?? []),
    ...listOperations(document).flatMap(({ operation }) => operation["x-rules"] ?? []),
  ];
}

/** A workflow of `openapi/behaviour`, as far as coverage needs it. */
export interface WorkflowRules {
  readonly workflowId: string;
  readonly rules: readonly string[];
  /** Rules that it shows only when the server answers what it may leave out. Left out: none. */
  readonly conditional?: readonly string[];
}

/** What checks a rule. */
export interface CoveredRule {
  readonly rule: Rule;
  /** Cases as `<operationId> <name>`. */
  readonly cases: readonly string[];
  readonly workflows: readonly string[];
  /** Those of the workflows that show the rule only when the server answers what it may leave out. */
  readonly conditional: readonly string[];
}

/** For each rule, the cases and workflows that name it. */
export function coverRules(
  rules: readonly Rule[],
  cases: readonly Case[],
  workflows: readonly WorkflowRules[],
): CoveredRule[] {
  return rules.map((rule) => ({
    rule,
    cases: cases
      .filter(({ rule: id, also }) => id === rule.id || also.includes(rule.id))
      .map(({ operationId, name }) => `${operationId} ${name}`),
    workflows: workflows.filter(({ rules: ids }) => ids.includes(rule.id)).map(({ workflowId }) => workflowId),
    conditional: workflows
      .filter(({ conditional = [] }) => conditional.includes(rule.id))
      .map(({ workflowId }) => workflowId),
  }));
}

/** What is wrong with the coverage, one sentence each: rules that nothing checks, and reasons that are no longer true. */
export function coverageProblems(covered: readonly CoveredRule[]): string[] {
  return covered.flatMap(({ rule, cases, workflows, conditional }) => {
    const always = [...cases, ...workflows.filter((workflow) => !conditional.includes(workflow))];
    const checked = cases.length + workflows.length > 0;
    if (!checked && rule.untestable === undefined) {
      return [`${rule.id}: no case and no workflow names it. Add one, or say why in \`untestable\`.`];
    }
    if (always.length > 0 && rule.untestable !== undefined) {
      return [`${rule.id}: it is called untestable, but ${always.join(", ")} checks it. Remove \`untestable\`.`];
    }
    return [];
  });
}
