import type { ReadWorkflow } from "../../../contract/chat/workflows.js";
import { valueAt } from "../../../contract/json-pointer.js";
import type { CheckOutcome, Exchange } from "../../check.js";
import type { Mask } from "../../excerpt.js";
import { createMask } from "../../mask.js";
import { statusDeviation } from "../judge/compare-with-case.js";
import { describeChange } from "../judge/describe-change.js";
import type { ResponseValidators } from "../judge/validators.js";
import { deviceTokens } from "../states/callers.js";
import { describeStep, type StepTarget } from "./describe-step.js";
import { judgeStep } from "./judge-step.js";
import type { RespectStep, RespectWorkflow } from "./respect-report.js";

/** The context in which workflows are judged. */
export interface WorkflowContext extends StepTarget {
  readonly validators: ResponseValidators;
  /** Texts to mask. */
  readonly secrets: readonly string[];
}

/** The result of a workflow. */
export interface WorkflowVerdict {
  readonly outcome: CheckOutcome;
  /** Whether the server answered every request. */
  readonly isAnswered: boolean;
}

/**
 * Judges a workflow. It passes if its expectations are met and the contract allows every response. A failed setup of a provider state, or
 * a request without a response, makes it `errored`, because neither breaks a rule.
 */
export async function judgeWorkflow(
  workflow: ReadWorkflow,
  { executedSteps, status }: RespectWorkflow,
  context: WorkflowContext,
): Promise<WorkflowVerdict> {
  const mask = createMask([...context.secrets, ...executedSteps.flatMap(secretsIn)]);
  // A step that was retried after a 429 appears once per attempt.
  const steps = executedSteps.filter(({ stepId }, index) => stepId !== executedSteps[index + 1]?.stepId);
  const traceTo = (last?: RespectStep): Promise<Exchange[]> => {
    const shown = last === undefined ? steps : steps.slice(0, steps.indexOf(last) + 1);
    return Promise.all(shown.map((step) => describeStep({ workflow, steps, step }, context, mask)));
  };
  for (const step of steps) {
    const fault = await judgeStep({ workflow, steps, step }, { ...context, mask });
    if (fault?.kind === "broken") {
      const problems = fault.problems.map((problem) => mask(`step ${step.stepId}: ${problem}`));
      const broken = brokenRules(workflow, step.stepId);
      const trace = await traceTo(step);
      const outcome = { kind: "failed", problems, broken, trace } as const;
      return { outcome: fault.forbidden ? { ...outcome, forbidden: true } : outcome, isAnswered: true };
    }
    if (fault?.kind === "lacking") {
      const reason = mask(`step ${step.stepId}: ${fault.reason}`);
      return { outcome: outcomeBefore(workflow, step, { steps, reason }), isAnswered: true };
    }
    if (fault?.kind === "not-run") {
      const { reason, help, isAnswered } = fault;
      const outcome = {
        kind: "errored",
        reason: mask(`step ${step.stepId}: ${reason}`),
        trace: await traceTo(step),
      } as const;
      return { outcome: help === undefined ? outcome : { ...outcome, help }, isAnswered };
    }
  }
  const outcome = await withDeviations(workflow, passedOutcome(workflow, steps), { steps, mask, trace: traceTo });
  const passed = { outcome, isAnswered: true };
  // A retry leaves the status at `error`.
  const isComplete = steps.length < executedSteps.length && steps.length === workflow.steps.length;
  if (status !== "error" || isComplete) return passed;
  const reason = "redocly respect reports a failure without a reason";
  return { outcome: { kind: "errored", reason, trace: await traceTo() }, isAnswered: true };
}

/** A status that differs from the recommended one, or a change that a refused request made. */
interface Deviation {
  readonly rule: string;
  readonly problem: string;
}

function deviationsOf({ steps }: ReadWorkflow, { stepId, response }: RespectStep): Deviation[] {
  const { status, rule } = steps.find((step) => step.stepId === stepId)?.["x-recommended-status"] ?? {};
  if (status === undefined || rule === undefined) return [];
  const actual = { status: response.statusCode };
  const problem = statusDeviation({ recommendedBy: rule, response: { status } }, actual);
  return problem === undefined ? [] : [{ rule, problem: `step ${stepId}: ${problem}` }];
}

function changesOf(
  { steps: sources }: ReadWorkflow,
  step: RespectStep,
  { steps, mask }: { readonly steps: readonly RespectStep[]; readonly mask: Mask },
): Deviation[] {
  const source = sources.find(({ stepId }) => stepId === step.stepId);
  const { since, compare = "", except = [] } = source?.["x-read-back"] ?? {};
  const before = steps.find(({ stepId }) => stepId === since)?.response;
  if (before?.statusCode !== 200 || step.response.statusCode !== 200) return [];
  const change = describeChange("the caller", before.body, step.response.body, { compare, except }, mask);
  if (change === undefined) return [];
  return (source?.["x-rules"] ?? []).map((rule) => ({ rule, problem: `step ${step.stepId}: ${change}` }));
}

async function withDeviations(
  workflow: ReadWorkflow,
  outcome: CheckOutcome & { readonly kind: "passed" },
  {
    steps,
    mask,
    trace,
  }: { readonly steps: readonly RespectStep[]; readonly mask: Mask; readonly trace: () => Promise<Exchange[]> },
): Promise<CheckOutcome> {
  const deviations = steps.flatMap((step) => [
    ...deviationsOf(workflow, step),
    ...changesOf(workflow, step, { steps, mask }),
  ]);
  if (deviations.length === 0) return outcome;
  const broken = [...new Set(deviations.map(({ rule }) => rule))];
  const problems = deviations.map(({ problem }) => problem);
  return { kind: "failed", problems, broken, shown: outcome.shown ?? workflow.rules, trace: await trace() };
}

/** Lists the rules of a workflow that a failed step breaks: those that the step names, and those that no step names. */
export function brokenRules({ rules, steps }: Pick<ReadWorkflow, "rules" | "steps">, failed: string): string[] {
  const rulesOf = (step: (typeof steps)[number]) => step["x-rules"] ?? [];
  const isFailed = ({ stepId }: (typeof steps)[number]) => stepId === failed;
  const own = new Set(steps.filter(isFailed).flatMap(rulesOf));
  if (steps.some((step) => isFailed(step) && step["x-read-back"] !== undefined)) return [...own];
  const named = new Set(steps.flatMap(rulesOf));
  return rules.filter((rule) => own.has(rule) || !named.has(rule));
}

/** The outcome if a step could not run: passed with the rules that only earlier steps show, or skipped if there are none. */
function outcomeBefore(
  workflow: ReadWorkflow,
  { stepId }: RespectStep,
  { steps, reason }: { readonly steps: readonly RespectStep[]; readonly reason: string },
): CheckOutcome {
  const index = workflow.steps.findIndex((step) => step.stepId === stepId);
  const rulesOf = (of: ReadWorkflow["steps"]) => of.flatMap((step) => step["x-rules"] ?? []);
  const later = new Set(rulesOf(workflow.steps.slice(index)));
  const earlier = new Set(rulesOf(workflow.steps.slice(0, index)));
  const passed = passedOutcome(workflow, steps);
  const shown = (passed.shown ?? workflow.rules).filter((rule) => earlier.has(rule) && !later.has(rule));
  return shown.length === 0 ? { kind: "skipped", reason } : { kind: "passed", shown, reason };
}

/** Passes a workflow, without the rules of steps whose responses lack the values that those rules are about. */
function passedOutcome(
  { rules, steps }: ReadWorkflow,
  executed: readonly RespectStep[],
): CheckOutcome & { readonly kind: "passed" } {
  const read = steps.flatMap(({ "x-read-back": readBack, "x-rules": own = [] }) => (readBack === undefined ? [] : own));
  const empty = steps.flatMap(
    ({ stepId, "x-rules": own = rules.filter((rule) => !read.includes(rule)), "x-shown": pointers = [] }) => {
      const body = executed.find((step) => step.stepId === stepId)?.response.body;
      const [pointer] = pointers.filter((at) => !isFilled(valueAt(body, at)));
      return pointer === undefined ? [] : [{ own, reason: `the answer has no ${pointer}` }];
    },
  );
  const [first] = empty;
  if (first === undefined) return { kind: "passed" };
  const hidden = new Set(empty.flatMap(({ own }) => own));
  return { kind: "passed", shown: rules.filter((rule) => !hidden.has(rule)), reason: first.reason };
}

function isFilled(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "";
}

/** Lists the secrets in the response to a setup. */
function secretsIn({ response: { body } }: RespectStep): string[] {
  if (typeof body !== "object" || body === null || !("credentials" in body)) return [];
  const { credentials, ...values } = body;
  const keys = Object.values(credentials ?? {}).map((caller) => valueAt(caller, "/api_key"));
  return [...keys.filter((key) => typeof key === "string"), ...deviceTokens(values)];
}
