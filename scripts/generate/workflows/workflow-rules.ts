import type { ContractDocument } from "../../../src/contract/chat/document.js";
import type { WorkflowRules } from "../../../src/contract/chat/rule-coverage.js";
import { listRules } from "../../../src/contract/chat/rules.js";
import type { Step } from "../../../src/contract/check.js";
import { scriptedWorkflows } from "../../../src/verify/chat/scripted/run-script.js";
import { tusWorkflow } from "../../../src/verify/chat/tus/run-tus-check.js";
import type { ExpandedWorkflows } from "./generate-workflows.js";

/** Lists the rules of every workflow, including those that are code because Arazzo cannot express them. */
export function listWorkflowRules(
  contract: ContractDocument,
  { workflows }: ExpandedWorkflows,
): {
  workflows: WorkflowRules[];
  /** The names of the provider states that the workflows set up. */
  states: string[];
} {
  const scripted = scriptedWorkflows(contract);
  return {
    workflows: [
      ...workflows.map(({ id, rules, steps }) => ({
        workflowId: id.replace("workflow ", ""),
        rules,
        conditional: steps.flatMap((step) => (isConditional(step) ? (step.rules ?? rules) : [])),
      })),
      ...[tusWorkflow(listRules(contract)) ?? []].flat(),
      ...scripted.map(({ workflowId, rules }) => ({ workflowId, rules })),
    ],
    states: [
      ...workflows.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === "state" ? step.state : []))),
      ...scripted.flatMap(({ script }) => script.states ?? []),
    ],
  };
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
