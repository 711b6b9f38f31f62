import type { ContractDocument } from "../../../contract/document.js";
import { valueAt } from "../../../contract/json-pointer.js";
import type { ReadWorkflow } from "../../../contract/read-workflows.js";
import type { CheckOutcome, Exchange } from "../../check.js";
import { createMask } from "../../mask.js";
import { checkResponse } from "../check-response.js";
import type { ResponseValidators } from "../compare-response.js";
import { stateHelp } from "../state-help.js";
import { bodyText, exchangeOfStep } from "./exchange-of-step.js";
import { expectedAndGot } from "./expected-and-got.js";
import { chatOperation } from "./list-workflows.js";
import type { RespectCheck, RespectStep, RespectWorkflow } from "./respect-report.js";

/** What workflows are judged by, besides what `respect` says. */
export interface WorkflowJudgement {
  /** The contract as of the level of the server. */
  readonly contract: ContractDocument;
  readonly validators: ResponseValidators;
  /** Texts that must not show. */
  readonly secrets: readonly string[];
}

/** What is wrong with a step. */
type StepFault =
  | { readonly kind: "broken"; readonly problems: readonly string[] }
  | { readonly kind: "not-run"; readonly reason: string; readonly help?: string };

/**
 * What came of a workflow. It is kept when `respect` and the comparison of this package both say so of every step; a provider state
 * that cannot be set up and a server without an answer are no fault of what is checked.
 */
export async function judgeWorkflow(
  workflow: ReadWorkflow,
  { executedSteps, status }: RespectWorkflow,
  by: WorkflowJudgement,
): Promise<CheckOutcome> {
  const mask = createMask([...by.secrets, ...executedSteps.flatMap(keysIn)]);
  const trace: Exchange[] = [];
  for (const step of executedSteps) {
    const exchange = await exchangeOfStep(step, mask);
    if (exchange !== undefined) trace.push(exchange);
    const fault = await judgeStep(workflow, executedSteps, step, by);
    if (fault?.kind === "broken") {
      const problems = fault.problems.map((problem) => mask(`step ${step.stepId}: ${problem}`));
      return { kind: "failed", problems, trace };
    }
    if (fault?.kind === "not-run") {
      const { reason, help } = fault;
      const outcome = { kind: "errored", reason: mask(`step ${step.stepId}: ${reason}`), trace } as const;
      return help === undefined ? outcome : { ...outcome, help };
    }
  }
  if (status !== "error") return { kind: "passed" };
  return { kind: "errored", reason: "redocly respect says that it failed, and does not say why", trace };
}

async function judgeStep(
  workflow: ReadWorkflow,
  steps: readonly RespectStep[],
  step: RespectStep,
  by: WorkflowJudgement,
): Promise<StepFault | undefined> {
  const source = workflow.steps.find(({ stepId }) => stepId === step.stepId);
  const operationId = chatOperation(source?.operationId ?? "");
  const failed = step.checks.filter(({ passed, severity }) => !passed && severity === "error");
  if (operationId === undefined) return judgeSetup(step);
  const { statusCode, headers } = step.response;
  if (statusCode === 0) {
    const why = failed.map(({ message }) => message).join("; ");
    // `respect` says so, too, of a response that came and is no JSON.
    const isAnswered = /JSON/.test(why);
    return isAnswered
      ? { kind: "broken", problems: [`the response says that it is JSON and is not: ${why}`] }
      : { kind: "not-run", reason: `there is no answer: ${why}` };
  }
  const response = {
    status: statusCode,
    contentType: headers["content-type"],
    headers: new Headers(headers),
    text: bodyText(step.response),
  };
  const own = checkResponse(by.contract, operationId, response, by.validators);
  // What is wrong with the schema is said by pointers already.
  const others = failed.filter(({ name }) => own.length === 0 || name.startsWith("success criteria"));
  const problems = [...others.map((check) => expectedAndGot(check, { workflow, steps, step })), ...own];
  return problems.length === 0 ? undefined : { kind: "broken", problems };
}

/** A provider state has to be set up, and to return what the workflow takes from it. */
async function judgeSetup({ request, response, checks }: RespectStep): Promise<StepFault | undefined> {
  const failed = checks.filter(({ passed, severity }) => !passed && severity === "error");
  if (failed.length === 0) return undefined;
  const { state, params = {} } = (request.body ?? {}) as { readonly state?: string; readonly params?: object };
  const help = state === undefined ? {} : { help: await stateHelp({ state, params }) };
  return {
    kind: "not-run",
    reason: `provider state ${state} could not be set up: ${setupProblem(response, failed)}`,
    ...help,
  };
}

function setupProblem(response: RespectStep["response"], failed: readonly RespectCheck[]): string {
  const unresolved = failed.find(isUnresolved);
  if (unresolved !== undefined) return `the answer has no ${pointerIn(unresolved)}`;
  const messages = failed.map(({ message }) => message).join("; ");
  if (response.statusCode === 0) return `there is no answer: ${messages}`;
  return response.statusCode === 200 ? messages : `status ${response.statusCode}, ${bodyText(response).slice(0, 300)}`;
}

/** Whether a check says that an output could not be taken from the response. */
function isUnresolved({ name, message }: RespectCheck): boolean {
  return name === "unexpected error" && message.startsWith("Error in resolving runtime expression '$response.");
}

function pointerIn({ message }: RespectCheck): string {
  return /'\$response\.(?:body#)?([^']+)'/.exec(message)?.[1] ?? message;
}

/** The keys in the answer to a setup. */
function keysIn({ response }: RespectStep): string[] {
  const credentials = valueAt(response.body, "/credentials");
  if (typeof credentials !== "object" || credentials === null) return [];
  const keys = Object.values(credentials).map((caller) => valueAt(caller, "/api_key"));
  return keys.filter((key) => typeof key === "string");
}
