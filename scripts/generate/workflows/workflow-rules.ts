import type { ContractDocument } from "../../../src/contract/chat/document.js";
import type { WorkflowRules } from "../../../src/contract/chat/rule-coverage.js";
import { listRules } from "../../../src/contract/chat/rules.js";
import { conditionalRules } from "../../../src/contract/chat/workflows.js";
import { scriptedWorkflows } from "../../../src/verify/chat/scripted/run-script.js";
import { tusWorkflow } from "../../../src/verify/chat/tus/run-tus-check.js";
import type { ExpandedWorkflows } from "./generate-workflows.js";

/** Lists the rules of every workflow, including those that are code because Arazzo cannot express them. */
export function listWorkflowRules(
  contract: ContractDocument,
  { resources }: ExpandedWorkflows,
): {
  workflows: WorkflowRules[];
  /** The names of the provider states that the workflows set up. */
  states: string[];
} {
  const scripted = scriptedWorkflows(contract);
  const expanded = [...resources.values()].flat();
  return {
    workflows: [
      ...expanded.map(({ workflowId, "x-rules": rules, steps }) => ({
        workflowId,
        rules,
        conditional: conditionalRules(steps, rules),
      })),
      ...[tusWorkflow(listRules(contract)) ?? []].flat(),
      ...scripted.map(({ workflowId, rules }) => ({ workflowId, rules })),
    ],
    states: [
      ...expanded.flatMap(({ steps }) => steps.flatMap(({ requestBody }) => requestBody?.payload?.state ?? [])),
      ...scripted.flatMap(({ script }) => script.states ?? []),
    ],
  };
}
