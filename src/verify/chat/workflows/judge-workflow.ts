import type { ReadWorkflow } from "../../../contract/chat/workflows.js";
import { valueAt } from "../../../contract/json-pointer.js";
import type { CheckOutcome, Exchange } from "../../check.js";
import { excerpt, type Mask } from "../../excerpt.js";
import { createMask } from "../../mask.js";
import { redirectFault } from "../../redirect-fault.js";
import { compareWithContract } from "../compare-with-contract.js";
import type { ResponseValidators } from "../response-validators.js";
import { tokensIn } from "../secrets-of.js";
import { stateHelp } from "../state-help.js";
import { brokenByStep } from "./broken-by-step.js";
import { bodyText, exchangeOfStep } from "./exchange-of-step.js";
import { expectedAndGot } from "./expected-and-got.js";
import { sizeFault } from "./guard-answers.js";
import { chatOperation } from "./list-workflows.js";
import type { RespectCheck, RespectStep, RespectWorkflow } from "./respect-report.js";
import type { StepTarget } from "./url-of-step.js";

/** What workflows are judged by, besides what `respect` says. */
export interface WorkflowJudgement extends StepTarget {
  readonly validators: ResponseValidators;
  /** Texts that must not show. */
  readonly secrets: readonly string[];
}

/** What came of a workflow. */
export interface WorkflowVerdict {
  readonly outcome: CheckOutcome;
  /** Whether the server answered all that it was asked. */
  readonly isAnswered: boolean;
}

/** What is wrong with a step. */
type StepFault =
  | { readonly kind: "broken"; readonly problems: readonly string[] }
  | { readonly kind: "not-run"; readonly reason: string; readonly help?: string; readonly isAnswered: boolean };

/**
 * What came of a workflow. It is kept when what it expects came true, and the contract allows every response; a provider state that
 * cannot be set up and a server without an answer are no fault of what is checked.
 */
export async function judgeWorkflow(
  workflow: ReadWorkflow,
  { executedSteps, status }: RespectWorkflow,
  by: WorkflowJudgement,
): Promise<WorkflowVerdict> {
  const mask = createMask([...by.secrets, ...executedSteps.flatMap(secretsIn)]);
  const trace: Exchange[] = [];
  // What was sent again for a 429 stands there once for each time.
  const steps = executedSteps.filter(({ stepId }, index) => stepId !== executedSteps[index + 1]?.stepId);
  for (const step of steps) {
    trace.push(await exchangeOfStep({ workflow, steps, step }, by, mask));
    const fault = await judgeStep(step, { workflow, steps, mask, ...by });
    if (fault?.kind === "broken") {
      const problems = fault.problems.map((problem) => mask(`step ${step.stepId}: ${problem}`));
      const broken = brokenByStep(workflow, step.stepId);
      return { outcome: { kind: "failed", problems, broken, trace }, isAnswered: true };
    }
    if (fault?.kind === "not-run") {
      const { reason, help, isAnswered } = fault;
      const outcome = { kind: "errored", reason: mask(`step ${step.stepId}: ${reason}`), trace } as const;
      return { outcome: help === undefined ? outcome : { ...outcome, help }, isAnswered };
    }
  }
  const passed = { outcome: passedOutcome(workflow, steps), isAnswered: true };
  // Sending again leaves the status at `error`.
  const isWhole = steps.length < executedSteps.length && steps.length === workflow.steps.length;
  if (status !== "error" || isWhole) return passed;
  const reason = "redocly respect says that it failed, and does not say why";
  return { outcome: { kind: "errored", reason, trace }, isAnswered: true };
}

/** Takes the rules from a workflow that passed whose steps met only absent or empty values where their rules are about one. */
function passedOutcome({ rules, steps }: ReadWorkflow, executed: readonly RespectStep[]): CheckOutcome {
  const empty = steps.flatMap(({ stepId, "x-rules": own = rules, "x-shown": pointers = [] }) => {
    const body = executed.find((step) => step.stepId === stepId)?.response.body;
    const [pointer] = pointers.filter((at) => !isFilled(valueAt(body, at)));
    return pointer === undefined ? [] : [{ own, reason: `the answer has no ${pointer}` }];
  });
  const [first] = empty;
  if (first === undefined) return { kind: "passed" };
  const hidden = new Set(empty.flatMap(({ own }) => own));
  return { kind: "passed", shown: rules.filter((rule) => !hidden.has(rule)), reason: first.reason };
}

function isFilled(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== "";
}

/** What the comparison of this package decides, which allows what the contract leaves open. */
const ownChecks: ReadonlySet<string> = new Set(["schema check", "status code check"]);

/** The workflow that a step is of, and what it is judged by. */
interface StepJudgement extends WorkflowJudgement {
  readonly workflow: ReadWorkflow;
  readonly steps: readonly RespectStep[];
  readonly mask: Mask;
}

async function judgeStep(
  step: RespectStep,
  { workflow, steps, mask, ...by }: StepJudgement,
): Promise<StepFault | undefined> {
  const source = workflow.steps.find(({ stepId }) => stepId === step.stepId);
  const operationId = chatOperation(source?.operationId ?? "");
  const failed = step.checks.filter(({ passed, severity }) => !passed && severity === "error");
  if (operationId === undefined) return judgeSetup(step, mask);
  const { statusCode, headers } = step.response;
  const redirect = redirectFault({ status: statusCode, location: headers.location }, step.request.url || by.apiUrl);
  if (redirect !== undefined) return { kind: "broken", problems: [redirect] };
  if (statusCode === 0) {
    const why = failed.map(({ message }) => message).join("; ");
    const fault = sizeFault(why);
    if (fault !== undefined) return { kind: "broken", problems: [fault] };
    // `respect` says so, too, of a response that came and is no JSON, or that it cannot go through.
    if (/call stack/.test(why)) return { kind: "broken", problems: ["the response is nested too deeply to be read"] };
    const isAnswered = /JSON/.test(why);
    return isAnswered
      ? { kind: "broken", problems: [`the response says that it is JSON and is not: ${why}`] }
      : { kind: "not-run", reason: `there is no answer: ${why}`, isAnswered: false };
  }
  if (statusCode === 429) {
    const reason = "the server answers 429 and does not take more requests, though they were sent again for 30 seconds";
    return { kind: "not-run", reason, isAnswered: false };
  }
  const own = ownProblems(operationId, step.response, { ...by, mask });
  const others = failed.filter((check) =>
    own.length === 0 ? !ownChecks.has(check.name) && !isUnresolved(check) : check.name.startsWith("success criteria"),
  );
  const problems = [...others.map((check) => expectedAndGot(check, { workflow, steps, step, mask })), ...own];
  // An answer that is wrong otherwise lacks values, too, which its body shows.
  if (problems.length === 0 || step.response.body === undefined) {
    problems.push(...failed.filter(isUnresolved).map(missingValue));
  }
  return problems.length === 0 ? undefined : { kind: "broken", problems };
}

/** What the comparison of this package says. A body that is not known is not taken for an empty one. */
function ownProblems(
  operationId: string,
  response: RespectStep["response"],
  { contract, validators, mask }: Pick<StepJudgement, "contract" | "validators" | "mask">,
): string[] {
  const { statusCode: status, headers } = response;
  const text = bodyText(response);
  if (text === undefined) return [];
  const actual = { status, contentType: headers["content-type"], headers: new Headers(headers), text };
  return compareWithContract(contract, operationId, actual, validators, mask);
}

/** A provider state has to be set up, and to return what the workflow takes from it. */
async function judgeSetup({ request, response, checks }: RespectStep, mask: Mask): Promise<StepFault | undefined> {
  const failed = checks.filter(({ passed, severity }) => !passed && severity === "error");
  if (failed.length === 0) return undefined;
  const { state, params = {} } = (request.body ?? {}) as { readonly state?: string; readonly params?: object };
  const isAnswered = response.statusCode !== 0 || failed.some(({ message }) => /JSON/.test(message));
  const help = state === undefined || !isAnswered ? {} : { help: await stateHelp({ state, params }) };
  return {
    kind: "not-run",
    reason: `provider state ${state} could not be set up: ${setupProblem({ request, response }, failed, mask)}`,
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
  if (response.statusCode === 0 && /JSON/.test(messages)) return `the answer is no JSON: ${messages}`;
  if (response.statusCode === 0) return `there is no answer: ${messages}`;
  // An answer that tells of an error lacks values, too; that is not what is wrong with it.
  if (response.statusCode !== 200) {
    const text = bodyText(response) ?? "";
    return `status ${response.statusCode}${text === "" ? "" : `, ${excerpt(text, 300, mask)}`}`;
  }
  const unresolved = failed.find(isUnresolved);
  return unresolved === undefined ? messages : missingValue(unresolved);
}

/** Whether a check says that an output could not be taken from the response. */
function isUnresolved({ name, message }: RespectCheck): boolean {
  return name === "unexpected error" && message.startsWith("Error in resolving runtime expression '$response.");
}

function missingValue({ message }: RespectCheck): string {
  return `the answer has no ${/'\$response\.(?:body#)?([^']+)'/.exec(message)?.[1] ?? message}`;
}

/** What must not show of the answer to a setup. */
function secretsIn({ response: { body } }: RespectStep): string[] {
  if (typeof body !== "object" || body === null || !("credentials" in body)) return [];
  const { credentials, ...values } = body;
  const keys = Object.values(credentials ?? {}).map((caller) => valueAt(caller, "/api_key"));
  return [...keys.filter((key) => typeof key === "string"), ...tokensIn(values)];
}
