import type { ReadWorkflow } from "../../../contract/chat/workflows.js";
import { valueAt } from "../../../contract/json-pointer.js";
import type { CheckOutcome, Exchange } from "../../check.js";
import { excerpt, type Mask } from "../../excerpt.js";
import { createMask } from "../../mask.js";
import { redirectFault } from "../../redirect-fault.js";
import { statusDeviation } from "../judge/compare-with-case.js";
import { compareWithContract } from "../judge/compare-with-contract.js";
import { describeChange } from "../judge/describe-change.js";
import type { ResponseValidators } from "../judge/validators.js";
import { deviceTokens } from "../states/callers.js";
import { lacksState, stateHelp } from "../states/catalogue.js";
import { bodyText, describeFailedCheck, describeStep, type ExecutedStep, type StepTarget } from "./describe-step.js";
import { chatOperation } from "./list-workflows.js";
import { sizeFault } from "./record-answers.js";
import type { RespectCheck, RespectStep, RespectWorkflow } from "./respect-report.js";

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

/** A problem of a step. */
type StepFault =
  | { readonly kind: "broken"; readonly problems: readonly string[]; readonly forbidden: boolean }
  | { readonly kind: "not-run"; readonly reason: string; readonly help?: string; readonly isAnswered: boolean }
  /** The server lacks an optional provider state. */
  | { readonly kind: "lacking"; readonly reason: string };

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

/** Passes the rules that only steps before a step show, or skips the workflow if there are none. */
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

/** The checks of `respect` that `compareWithContract` replaces, which allows what the contract leaves open. */
const replacedChecks: ReadonlySet<string> = new Set(["schema check", "status code check"]);

/** The context in which steps are judged. */
interface StepContext extends WorkflowContext {
  readonly mask: Mask;
}

async function judgeStep(run: ExecutedStep, context: StepContext): Promise<StepFault | undefined> {
  const { workflow, step } = run;
  const { mask } = context;
  const source = workflow.steps.find(({ stepId }) => stepId === step.stepId);
  const operationId = chatOperation(source?.operationId ?? "");
  const failed = step.checks.filter(({ passed, severity }) => !passed && severity === "error");
  if (operationId === undefined) return judgeSetup(run, mask);
  const { statusCode, headers } = step.response;
  const redirect = redirectFault(
    { status: statusCode, location: headers.location },
    step.request.url || context.apiUrl,
  );
  if (redirect !== undefined) return { kind: "broken", problems: [redirect], forbidden: true };
  if (statusCode === 0) {
    const reason = failed.map(({ message }) => message).join("; ");
    const fault = sizeFault(reason);
    if (fault !== undefined) return { kind: "broken", problems: [fault], forbidden: true };
    // `respect` also reports this for a response that is not JSON, or nested too deeply for it.
    if (/call stack/.test(reason))
      return { kind: "broken", problems: ["the response is nested too deeply to read"], forbidden: true };
    const isAnswered = /JSON/.test(reason);
    return isAnswered
      ? {
          kind: "broken",
          problems: [`the Content-Type says JSON, but the body is not JSON: ${reason}`],
          forbidden: true,
        }
      : { kind: "not-run", reason: `no answer: ${reason}`, isAnswered: false };
  }
  if (statusCode === 429) {
    const reason = "the server keeps answering 429, even after retries for 30 seconds";
    return { kind: "not-run", reason, isAnswered: false };
  }
  const readBack = source?.["x-read-back"];
  // Of a read before or after a refused request, only the difference matters.
  if (readBack !== undefined && failed.length === 0) return undefined;
  const contractFaults = compareResponse(operationId, step.response, context);
  const others = failed.filter((check) =>
    contractFaults.length === 0 ? !replacedChecks.has(check.name) && !isUnresolved(check) : isCriterion(check),
  );
  const problems = [...others.map((check) => describeFailedCheck(check, run, mask)), ...contractFaults];
  // A response with other problems usually lacks values as well, which its body shows.
  if (problems.length === 0 || step.response.body === undefined) {
    problems.push(...failed.filter(isUnresolved).map(missingValue));
  }
  return problems.length === 0 ? undefined : { kind: "broken", problems, forbidden: contractFaults.length > 0 };
}

/** Compares a response with the contract. Skips an unknown body, which must not count as empty. */
function compareResponse(
  operationId: string,
  response: RespectStep["response"],
  { contract, validators, mask }: Pick<StepContext, "contract" | "validators" | "mask">,
): string[] {
  const { statusCode: status, headers } = response;
  const text = bodyText(response);
  if (text === undefined) return [];
  const actual = { status, contentType: headers["content-type"], headers: new Headers(headers), text };
  return compareWithContract(contract, operationId, actual, validators, mask);
}

/**
 * Judges the setup of a provider state, which must succeed and return the values that the workflow reads. Only if it does can its values
 * break a rule.
 */
async function judgeSetup(run: ExecutedStep, mask: Mask): Promise<StepFault | undefined> {
  const { request, response, checks } = run.step;
  const failed = checks.filter(({ passed, severity }) => !passed && severity === "error");
  if (failed.length === 0) return undefined;
  if (response.statusCode === 200 && failed.every(isCriterion)) {
    const problems = failed.map((check) => describeFailedCheck(check, run, mask));
    return { kind: "broken", problems, forbidden: false };
  }
  const { state, params = {} } = (request.body ?? {}) as { readonly state?: string; readonly params?: object };
  const isAnswered = response.statusCode !== 0 || failed.some(({ message }) => /JSON/.test(message));
  const reason = `provider state ${state} could not be set up: ${setupProblem({ request, response }, failed, mask)}`;
  const { statusCode: status } = response;
  if (state !== undefined && status >= 400 && (await lacksState({ state, status }))) {
    return { kind: "lacking", reason };
  }
  const help = state === undefined || !isAnswered ? {} : { help: await stateHelp({ state, params }) };
  return {
    kind: "not-run",
    reason,
    isAnswered,
    ...help,
  };
}

function setupProblem(
  { request, response }: Pick<RespectStep, "request" | "response">,
  failed: readonly RespectCheck[],
  mask: Mask,
): string {
  const messages = failed.map(({ message }) => message).join("; ");
  const { statusCode: status, headers } = response;
  const fault = redirectFault({ status, location: headers.location }, request.url) ?? sizeFault(messages);
  if (fault !== undefined) return fault;
  if (response.statusCode === 0 && /JSON/.test(messages)) return `the answer is not JSON: ${messages}`;
  if (response.statusCode === 0) return `no answer: ${messages}`;
  // An error response lacks the values as well, but the error is the actual problem.
  if (response.statusCode !== 200) {
    const text = bodyText(response) ?? "";
    return `status ${response.statusCode}${text === "" ? "" : `, ${excerpt(text, 300, mask)}`}`;
  }
  const unresolved = failed.find(isUnresolved);
  return unresolved === undefined ? messages : missingValue(unresolved);
}

/** Whether a check is a criterion of the workflow. */
function isCriterion({ name }: RespectCheck): boolean {
  return name.startsWith("success criteria");
}

/** Whether a check failed because the response lacks the value of an output. */
function isUnresolved({ name, message }: RespectCheck): boolean {
  return name === "unexpected error" && message.startsWith("Error in resolving runtime expression '$response.");
}

function missingValue({ message }: RespectCheck): string {
  return `the answer has no ${/'\$response\.(?:body#)?([^']+)'/.exec(message)?.[1] ?? message}`;
}

/** Lists the secrets in the response to a setup. */
function secretsIn({ response: { body } }: RespectStep): string[] {
  if (typeof body !== "object" || body === null || !("credentials" in body)) return [];
  const { credentials, ...values } = body;
  const keys = Object.values(credentials ?? {}).map((caller) => valueAt(caller, "/api_key"));
  return [...keys.filter((key) => typeof key === "string"), ...deviceTokens(values)];
}
