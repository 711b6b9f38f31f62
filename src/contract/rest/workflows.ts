import { expectedOf } from "../calls.js";
import type { Check, Step } from "../check.js";
import type { WorkflowRules } from "./rule-coverage.js";

/** A workflow of `openapi/behaviour`. */
export interface Workflow extends Check {
  readonly kind: "workflow";
  /** The file and line of its source. */
  readonly source: string;
}

/** The name of a workflow in its source, such as `topics-mute-once`. */
export function workflowName({ id }: Pick<Workflow, "id">): string {
  return id.replace("workflow ", "");
}

/** The rules that a workflow shows. */
export function coveredBy(workflow: Workflow): WorkflowRules {
  const { rules, steps } = workflow;
  return {
    workflowId: workflowName(workflow),
    rules,
    conditional: steps.flatMap((step) => (isConditional(step) ? (step.rules ?? rules) : [])),
  };
}

/** Whether a step shows its rules only if the response has a value that it may omit. */
function isConditional(step: Step): boolean {
  if (step.kind !== "call") return false;
  const matchers = Object.values(expectedOf(step).body ?? {});
  const outputs = Object.values(step.outputs ?? {});
  return (
    step.readBack?.since !== undefined ||
    matchers.some((matcher) => typeof matcher === "object" && matcher !== null && "if-present" in matcher) ||
    outputs.some((output) => typeof output === "object" && output.optional === true)
  );
}
