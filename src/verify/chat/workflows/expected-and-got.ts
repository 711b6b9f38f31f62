import { valueAt } from "../../../contract/json-pointer.js";
import type { ReadWorkflow } from "../../../contract/read-workflows.js";
import { show } from "../compare-response.js";
import type { RespectCheck, RespectStep } from "./respect-report.js";

/** A step, and all that came before it. */
export interface StepContext {
  readonly workflow: ReadWorkflow;
  readonly steps: readonly RespectStep[];
  readonly step: RespectStep;
}

/** What a failed check expected and what came instead, in a sentence. */
export function expectedAndGot(check: RespectCheck, context: StepContext): string {
  if (check.condition !== undefined && check.name.startsWith("success criteria")) {
    return describeCriterion(check.condition, context);
  }
  const { statusCode, body } = context.step.response;
  return `${check.name}: ${sentences(check.message)}; got ${statusCode} with ${show(body ?? "")}`;
}

/** The message without its frames and lists. */
function sentences(message: string): string {
  const lines = message.split("\n").map((line) => line.trim());
  const telling = lines.filter((line) => line !== "" && !/^(?:>|\d+ \||\|)/.test(line));
  return telling.join(" ").replace(/\s+/g, " ").slice(0, 500);
}

function describeCriterion(condition: string, context: StepContext): string {
  const { workflow, step } = context;
  const criteria = workflow.steps.find(({ stepId }) => stepId === step.stepId)?.successCriteria ?? [];
  const { context: about, type } = criteria.find((criterion) => criterion.condition === condition) ?? {};
  const { statusCode, body } = step.response;
  if (about !== undefined) {
    const phrase = type === "regex" ? `${about} to match ${condition}` : `${condition} in ${about}`;
    return `expected ${phrase}, got ${show(evaluate(about, context))}`;
  }
  const expressions = [...new Set(condition.match(/\$[\w.-]+(?:#[^\s"'()]*)?/g) ?? [])];
  // What a status says is in the body.
  if (expressions.join() === "$statusCode") return `expected ${condition}, got ${statusCode} with ${show(body ?? "")}`;
  return `expected ${condition}, got ${expressions.map((one) => `${one} = ${show(evaluate(one, context))}`).join(", ")}`;
}

/** The value of a runtime expression (Arazzo 1.0.1), of those that workflows use. */
function evaluate(expression: string, context: StepContext): unknown {
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
