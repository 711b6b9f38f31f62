import type { ExpandedWorkflows } from "../../src/behaviour/expand-workflows.js";
import type { WorkflowRules } from "../../src/contract/rest/rule-coverage.js";
import { coveredBy, workflowName } from "../../src/contract/rest/workflows.js";
import { loadCodeChecks } from "../../src/verify/rest/load-code-checks.js";

/** Lists the rules of every workflow and of every check in code. */
export async function listWorkflowRules({ workflows }: ExpandedWorkflows): Promise<WorkflowRules[]> {
  return [
    ...workflows.map(coveredBy),
    ...(await loadCodeChecks(new URL("../../openapi/checks/", import.meta.url))).map(({ id, rules }) => ({
      workflowId: workflowName({ id }),
      rules,
    })),
  ];
}
