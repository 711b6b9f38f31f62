import type { CheckToRun } from "../../create-selection.js";

/** The rules that the resumption of an upload shows. */
export const tusRules: readonly string[] = ["uploads.tus.resumable"];

/** How the resumption of an upload is known as a workflow: one that `respect` cannot run, because a connection is cut in its midst. */
export const tusWorkflow = { workflowId: "uploads-tus-resume", rules: tusRules } as const;

/** How it is known as a check. */
export const tusCheck: CheckToRun = { id: `workflow ${tusWorkflow.workflowId}`, operation: "uploads", rules: tusRules };
