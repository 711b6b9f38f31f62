import type { ReadWorkflow } from "../../../contract/chat/workflows.js";

/** The rules of a workflow that are broken when a step fails: those that the step names, and those that no step names. */
export function brokenByStep({ rules, steps }: Pick<ReadWorkflow, "rules" | "steps">, failed: string): string[] {
  const rulesOf = (step: (typeof steps)[number]) => step["x-rules"] ?? [];
  const named = new Set(steps.flatMap(rulesOf));
  const own = new Set(steps.filter(({ stepId }) => stepId === failed).flatMap(rulesOf));
  return rules.filter((rule) => own.has(rule) || !named.has(rule));
}
