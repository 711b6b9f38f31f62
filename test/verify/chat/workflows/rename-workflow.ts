import type { ReadWorkflow } from "../../../../src/contract/chat/workflows.js";

/**
 * Copies a workflow under another name, so that one process runs it several times. The copy has a file of its own, because `respect` confuses
 * steps of the same name within a file.
 */
export function renameWorkflow(workflow: ReadWorkflow, workflowId: string): ReadWorkflow {
  const text = JSON.stringify(workflow).replaceAll(workflow.workflowId, workflowId);
  return { ...JSON.parse(text), file: `${workflowId}.arazzo.yaml` };
}
