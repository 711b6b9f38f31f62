import type { WorkflowRules } from "../../../src/contract/chat/rule-coverage.js";
import type { Step } from "../../../src/contract/check.js";
import { loadCodeChecks } from "../../../src/verify/chat/load-code-checks.js";
import type { ExpandedWorkflows } from "./generate-workflows.js";

/** Lists the rules of every workflow and of every check in code. */
export async function listWorkflowRules({ workflows }: ExpandedWorkflows): Promise<WorkflowRules[]> {
  return [
    ...workflows.map(({ id, rules, steps }) => ({
      workflowId: nameOf(id),
      rules,
      conditional: steps.flatMap((step) => (isConditional(step) ? (step.rules ?? rules) : [])),
    })),
    ...(await loadCodeChecks()).map(({ id, rules }) => ({ workflowId: nameOf(id), rules })),
  ];
}

function nameOf(id: string): string {
  return id.replace("workflow ", "");
}

/** Whether a step shows its rules only if the response has a value that it may omit. */
function isConditional(step: Step): boolean {
  if (step.kind !== "call") return false;
  const matchers = Object.values(step.expect.body ?? {});
  const outputs = Object.values(step.outputs ?? {});
  return (
    step.readBack?.since !== undefined ||
    matchers.some((matcher) => typeof matcher === "object" && matcher !== null && "if-present" in matcher) ||
    outputs.some((output) => typeof output === "object" && output.optional === true)
  );
}
