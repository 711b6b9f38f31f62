import type { ReadWorkflow } from "../../../contract/chat/workflows.js";
import { valueAt } from "../../../contract/json-pointer.js";
import type { RespectStep } from "./respect-report.js";

/** A step, and all that came before it. */
export interface StepOfRun {
  readonly workflow: ReadWorkflow;
  readonly steps: readonly RespectStep[];
  readonly step: RespectStep;
}

/** The value of a runtime expression (Arazzo 1.0.1), of those that workflows use. */
export function evaluate(expression: string, context: StepOfRun): unknown {
  const { statusCode, body, headers } = context.step.response;
  if (expression === "$statusCode") return statusCode;
  if (expression.startsWith("$response.body")) return valueAt(body, expression.slice("$response.body".length));
  if (expression.startsWith("$response.header."))
    return headers[expression.slice("$response.header.".length).toLowerCase()];
  const [, stepId = "", output = ""] = /^\$steps\.([\w-]+)\.outputs\.([\w-]+)$/.exec(expression) ?? [];
  const source = context.workflow.steps.find((step) => step.stepId === stepId)?.outputs?.[output];
  const step = context.steps.find((one) => one.stepId === stepId);
  return source === undefined || step === undefined ? undefined : evaluate(source, { ...context, step });
}

/** A value that a step sends, as text: what stands in the workflow, or what the expression there says. Undefined when that is not known. */
export function textOf(given: unknown, context: StepOfRun): string | undefined {
  const value = typeof given === "string" && given.startsWith("$") ? evaluate(given, context) : given;
  return value === undefined ? undefined : typeof value === "object" ? JSON.stringify(value) : String(value);
}
