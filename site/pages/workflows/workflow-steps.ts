import type { ReadWorkflow, WorkflowStep } from "../../../src/contract/chat/workflows.js";
import { chatOperation } from "../../../src/verify/chat/workflows/list-workflows.js";

/** A step of a workflow as its page shows it. */
export interface ShownStep {
  readonly kind: "state" | "call";
  /** The caller of a call. */
  readonly caller: string;
  /** The provider state, or the operation. */
  readonly name: string;
  /** The parameters, as `name = value`. */
  readonly sent: readonly string[];
  /** The expected status: `200`, `400 recommended`, `any refusal` or `any`. */
  readonly status: string;
  /** Further expectations of the response. */
  readonly expected: readonly string[];
  /** The values of the response that later steps use. */
  readonly values: readonly string[];
  readonly rules: readonly string[];
}

/** Describes the steps of a workflow. */
export function workflowSteps(workflow: ReadWorkflow): ShownStep[] {
  const used = usedOutputs(workflow.steps);
  return workflow.steps.map((step) => describeStep(step, used.get(step.stepId) ?? new Set()));
}

function describeStep(step: WorkflowStep, used: ReadonlySet<string>): ShownStep {
  const { operationId, parameters = [], requestBody, successCriteria = [], outputs = {}, "x-rules": rules = [] } = step;
  const operation = chatOperation(operationId);
  const payload = requestBody?.payload ?? {};
  const values = Object.keys(outputs).filter((name) => used.has(name));
  if (operation === undefined) {
    const params = Object.entries((payload.params ?? {}) as object).filter(([name]) => name !== "organization");
    const sent = params.map(([name, value]) => `${name} = ${shown(value)}`);
    return { kind: "state", caller: "", name: String(payload.state), sent, status: "", expected: [], values, rules };
  }
  const sent = [...parameters.map(({ name, value }) => [name, value] as const), ...Object.entries(payload)];
  const conditions = successCriteria.map(({ condition, context, type }) =>
    context === undefined ? shown(condition) : `${shown(context)} ${type === "regex" ? "matches" : "has"} ${condition}`,
  );
  return {
    kind: "call",
    caller: callerOf(step),
    name: operation,
    sent: sent.map(([name, value]) => `${name} = ${shown(value)}`),
    status: statusOf(step, conditions),
    expected: conditions.filter((condition) => !condition.includes("$statusCode")).map(asSentence),
    values,
    rules: rules.filter((rule, index) => rules.indexOf(rule) === index),
  };
}

function statusOf(step: WorkflowStep, conditions: readonly string[]): string {
  const recommended = step["x-recommended-status"];
  if (recommended !== undefined) return `${recommended.status} recommended`;
  const condition = conditions.find((text) => text.includes("$statusCode")) ?? "";
  const exact = /^\$statusCode == (\d+)$/.exec(condition)?.[1];
  if (exact !== undefined) return exact;
  return condition.includes(">= 400") ? "any refusal" : condition.includes("!= 429") ? "any" : condition;
}

function asSentence(condition: string): string {
  return condition
    .replaceAll(/\$response\.body#/g, "")
    .replaceAll("$response.header.", "header ")
    .replaceAll(" == ", " = ");
}

/** The caller whose credentials a step sends. */
function callerOf(step: WorkflowStep): string {
  const [security] =
    (step as { readonly "x-security"?: readonly { readonly values?: { readonly username?: string } }[] })[
      "x-security"
    ] ?? [];
  if (security === undefined) return "nobody";
  const name = security.values?.username ?? "cookie";
  return /outputs\.(\w+)_email$/.exec(name)?.[1] ?? (name.startsWith("$") ? "session" : name);
}

/** A parameter value, in which `{name}` stands for a value of an earlier response. */
function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text
    .replaceAll(/\{?\$steps\.[\w-]+\.outputs\.(\w+)\}?/g, "{$1}")
    .replaceAll(/\$file\('.*?([^/']+)'\)/g, "file $1");
}

/** The outputs of each step that later steps use, except credentials. */
function usedOutputs(steps: readonly WorkflowStep[]): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>();
  for (const { parameters, requestBody, successCriteria } of steps) {
    const { organization: _, ...params } = (requestBody?.payload?.params ?? {}) as Record<string, unknown>;
    const text = JSON.stringify([parameters, { ...requestBody?.payload, params }, successCriteria]);
    for (const [, stepId = "", output = ""] of text.matchAll(/\$steps\.([\w-]+)\.outputs\.(\w+)/g)) {
      used.set(stepId, (used.get(stepId) ?? new Set()).add(output));
    }
  }
  return used;
}
