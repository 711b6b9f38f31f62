import type { ContractDocument } from "../../../src/contract/chat/document.js";
import type { WorkflowRules } from "../../../src/contract/chat/rule-coverage.js";
import { listRules } from "../../../src/contract/chat/rules.js";
import { coveredBy, statesOf } from "../../../src/contract/chat/workflows.js";
import { scriptedWorkflows } from "../../../src/verify/chat/scripted/run-script.js";
import { tusWorkflow } from "../../../src/verify/chat/tus/run-tus-check.js";
import type { ExpandedWorkflows } from "./expand-workflows.js";

/** Lists the rules of every workflow, including those that are code because steps cannot express them. */
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
      ...workflows.map(coveredBy),
      ...[tusWorkflow(listRules(contract)) ?? []].flat(),
      ...scripted.map(({ workflowId, rules }) => ({ workflowId, rules })),
    ],
    states: [...workflows.flatMap(statesOf), ...scripted.flatMap(({ script }) => script.states ?? [])],
  };
}
