import { redirectFault } from "../../../redirect-fault.js";
import { excerpt, type Mask } from "../../excerpt.js";
import { compareWithContract } from "../judge/compare-with-contract.js";
import type { ResponseValidators } from "../judge/validators.js";
import { isOptionalValue, lacksState, stateHelp } from "../states/catalogue.js";
import { bodyText, describeFailedCheck, type ExecutedStep, type StepTarget } from "./describe-step.js";
import { chatOperation } from "./list-workflows.js";
import { sizeFault } from "./record-answers.js";
import type { RespectCheck, RespectStep } from "./respect-report.js";

/** A problem of a step. */
export type StepFault =
  | { readonly kind: "broken"; readonly problems: readonly string[]; readonly forbidden: boolean }
  | { readonly kind: "not-run"; readonly reason: string; readonly help?: string; readonly isAnswered: boolean }
  /** The server lacks an optional provider state, or a value that may be absent and that later steps need. */
  | { readonly kind: "lacking"; readonly reason: string };

/** The checks of `respect` that `compareWithContract` replaces, which allows what the contract leaves open. */
const replacedChecks: ReadonlySet<string> = new Set(["schema check", "status code check"]);

/** The context in which steps are judged. */
export interface StepContext extends StepTarget {
  readonly validators: ResponseValidators;
  readonly mask: Mask;
}

/** Judges a step. Resolves to undefined if its expectations are met and the contract allows its response. */
export async function judgeStep(run: ExecutedStep, context: StepContext): Promise<StepFault | undefined> {
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
  // For a read before or after a refused request, only the difference matters.
  if (readBack !== undefined && failed.length === 0) return undefined;
  const contractFaults = compareResponse(operationId, step.response, context);
  const others = failed.filter((check) =>
    contractFaults.length === 0 ? !replacedChecks.has(check.name) && !isUnresolved(check) : isCriterion(check),
  );
  const problems = [...others.map((check) => describeFailedCheck(check, run, mask)), ...contractFaults];
  const absent = failed.find((check) => isUnresolved(check) && source?.["x-shown"]?.includes(pointerOf(check)));
  if (problems.length === 0 && absent !== undefined) return { kind: "lacking", reason: missingValue(absent) };
  // A response with other problems usually lacks values as well. Its body shows that, so report them only without a body.
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
 * Judges the setup of a provider state, which must succeed and return the values that the workflow reads. A setup that fails breaks no
 * rule; one that returns wrong values does.
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
  const absent = status === 200 ? failed.find(isUnresolved) : undefined;
  const isLacking =
    absent === undefined
      ? status >= 400 && state !== undefined && (await lacksState({ state, status }))
      : state !== undefined && (await isOptionalValue(state, pointerOf(absent)));
  if (isLacking) return { kind: "lacking", reason };
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

function missingValue(check: RespectCheck): string {
  return `the answer has no ${pointerOf(check)}`;
}

/** The JSON pointer of an absent value. */
function pointerOf({ message }: RespectCheck): string {
  return /'\$response\.(?:body#)?([^']+)'/.exec(message)?.[1] ?? message;
}
