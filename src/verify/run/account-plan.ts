import { callsOf, expectsRefusal, expectsSuccess, isOutsider } from "../../contract/calls.js";
import type { CallStep, Check, StateStep } from "../../contract/check.js";
import { expressionsIn } from "../../contract/expressions.js";
import type { ProbedOperation, ProbedParameter } from "../../contract/rest/probed-operation.js";
import { baseSteps } from "../../contract/rest/states.js";
import { createdAndRemoved, methodOf, namedInPath, type Operations } from "./removals.js";
import { needsStatesReason } from "./run-steps.js";

/** What checks may do with accounts of a real organization instead of provider states. */
export interface AccountPlan {
  readonly callers: ReadonlySet<string>;
  /** The caller of most checks. */
  readonly plain: string;
  /** The state from which checks start, for which the organization of the accounts stands. Undefined if there are no states. */
  readonly base: string | undefined;
  /** How an account is written, such as `EMAIL:KEY`. */
  readonly accountForm: string;
  /** The field of credentials that is no secret. */
  readonly nameField: string;
  /** Whether checks may write, provided that they leave nothing behind, or that a correct server refuses them. */
  readonly allowsWrites: boolean;
  /** Whether the server has refused a read without credentials, and one of an unknown user. */
  readonly refusesOutsiders: boolean;
  readonly operations: Operations;
}

/**
 * Returns why a check cannot run with the accounts of a real organization; undefined if it can. By default, it can if each of its requests
 * reads, or must be refused and could not be carried out by a server that wrongly accepts it.
 */
export function whyNotWithAccounts(check: Check, plan: AccountPlan): string | undefined {
  const calls = callsOf(check);
  const states = check.steps.filter((step) => step.kind === "state");
  if (!states.every((state) => isPlainOrganization(state, plan))) return needsStatesReason;
  const ids = new Set(states.map(({ id }) => id));
  const own = createdAndRemoved(check, plan.operations);
  for (const call of calls) {
    const need = valueNeeded(call, ids, plan) ?? callerNeeded(call, plan);
    if (need !== undefined) return need;
    if (states.length > 0 && !check.leavesNothing && !isAboutOwn(call, own, plan) && isAboutContent(call))
      return "it needs a server without other content: give --states";
  }
  const danger = calls.find((call) => !isHarmless(call, plan));
  if (danger === undefined) return undefined;
  if (plan.allowsWrites) {
    const isRefused = calls.every(
      (call) => isRead(call, plan) || (expectsRefusal(call) && !cannotBeUndone(call, plan)),
    );
    if (leavesNothing(check, plan) || isRefused) return undefined;
    return "it changes something and does not undo it: give --states";
  }
  if (isOutsider(danger.as) && expectsRefusal(danger))
    return "the server refused no read without an account, so that it could change something: give --allow-writes";
  return leavesNothing(check, plan) || expectsRefusal(danger)
    ? "it could change something: give --allow-writes"
    : "it changes something: give --states";
}

/** Whether a real organization is after a check as before: its author says so, or each of its writes is about what it creates and removes. */
export function leavesNothing(check: Check, plan: AccountPlan): boolean {
  if (check.leavesNothing) return true;
  const own = createdAndRemoved(check, plan.operations);
  const isUndone = (call: CallStep) => {
    if (isRead(call, plan) || own.has(call.id)) return true;
    // A request below the path of a thing may create another one.
    if (isAboutOwn(call, own, plan)) return expectsRefusal(call) || methodOf(call, plan.operations) !== "POST";
    return expectsRefusal(call) && !cannotBeUndone(call, plan);
  };
  return own.size > 0 && callsOf(check).every(isUndone);
}

/** Whether a call creates something that the check removes, or is about it. */
function isAboutOwn(call: CallStep, own: ReadonlySet<string>, { operations }: AccountPlan): boolean {
  return own.has(call.id) || namedInPath(call, operations).some((id) => own.has(id));
}

/** Lists the requests of a check that write, or would if the server wrongly accepted them: such as `POST /reminders by member`. */
export function writesOf(check: Check, plan: AccountPlan): string[] {
  return callsOf(check)
    .filter((call) => !isHarmless(call, plan))
    .map(
      (call) =>
        `${methodOf(call, plan.operations)} ${pathOf(call, plan)} by ${typeof call.as === "string" ? call.as : "nobody"}`,
    );
}

function isPlainOrganization({ state, params, fresh, within, expect }: StateStep, { base }: AccountPlan): boolean {
  return (
    state === base && Object.keys(params).length === 0 && [fresh, within, expect].every((part) => part === undefined)
  );
}

function valueNeeded(
  call: CallStep,
  states: ReadonlySet<string>,
  { nameField }: Pick<AccountPlan, "nameField">,
): string | undefined {
  const { as: _, ...rest } = call;
  for (const expression of expressionsIn(rest)) {
    const [head = "", caller = "", name = ""] = expression.split(".");
    if (states.has(head)) return needsStatesReason;
    if (head === "credentials" && name !== nameField)
      return `it needs the ${name === "" ? "credentials" : name} of ${caller}: give --states`;
  }
  return undefined;
}

function callerNeeded(call: CallStep, { callers, plain, accountForm }: AccountPlan): string | undefined {
  const { as, ...rest } = call;
  // The address of an account with a wrong key.
  if (typeof as === "object" && expressionsIn(as).length > 0) return "it could lock an account: give --states";
  const named = expressionsIn(rest).flatMap((expression) => {
    const [head, caller = ""] = expression.split(".");
    return head === "credentials" ? caller : [];
  });
  const used = typeof as === "object" || isOutsider(as) ? named : [as, ...named];
  const missing = used.find((caller) => !callers.has(caller));
  return missing === undefined
    ? undefined
    : `it needs an account of ${missing}: give --account ${missing === plain ? "" : `${missing}=`}${accountForm}`;
}

/** Whether a success must have content that only a new organization is known to have. */
function isAboutContent(call: CallStep): boolean {
  const { body = {}, bytes } = call.expect;
  return expectsSuccess(call) && (Object.keys(body).length > 0 || bytes !== undefined);
}

function isHarmless(call: CallStep, plan: AccountPlan): boolean {
  if (isRead(call, plan)) return true;
  if (!expectsRefusal(call)) return false;
  return (isOutsider(call.as) && plan.refusesOutsiders) || cannotBeCarriedOut(call, plan);
}

const reading: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

function isRead(call: CallStep, plan: AccountPlan): boolean {
  return reading.has(methodOf(call, plan.operations));
}

/** Whether an account sends a valid request to delete something, which no later request could bring back. */
function cannotBeUndone(call: CallStep, plan: AccountPlan): boolean {
  return methodOf(call, plan.operations) === "DELETE" && !isOutsider(call.as) && !cannotBeCarriedOut(call, plan);
}

/**
 * Whether a request has none of its required parameters, or no path: they are missing, or a number or JSON is to be read from them and
 * cannot. Optional parameters do not count: a server may ignore them, and do the rest.
 */
function cannotBeCarriedOut(step: CallStep, { operations }: AccountPlan): boolean {
  const { sent, headers } = step;
  const operation = operations.get(step.call ?? "");
  if (operation === undefined || sent?.body !== undefined || headers !== undefined) return false;
  const required = operation.parameters.filter((parameter) => parameter.required);
  const lacking = required.filter((parameter) => isUnreadable(parameter, step));
  return lacking.some(({ place }) => place === "path") || (lacking.length > 0 && lacking.length === required.length);
}

/** Whether the path of a call has a malformed value. */
export function hasMalformedPath(step: CallStep, { parameters }: ProbedOperation): boolean {
  return parameters.some((parameter) => parameter.place === "path" && isUnreadable(parameter, step));
}

function isUnreadable(
  { name, json, schema, isFile }: ProbedParameter,
  { with: values, written = {} }: CallStep,
): boolean {
  if (values[name] === undefined || written[name] === "omitted") return true;
  if (written[name] !== "text" || isFile) return false;
  const text = String(values[name]);
  return json ? !/[[\]{}"\d]/.test(text) : schema.type === "integer" && !/\d/.test(text);
}

function pathOf({ call, request }: CallStep, { operations }: AccountPlan): string {
  return operations.get(call ?? "")?.path ?? request?.url ?? "";
}

/**
 * The check without its provider states, if it is a probe that reads and uses none of their values: an invalid value is refused in any
 * organization. Otherwise, the check itself.
 */
export function inAnyOrganization<Given extends Check>(check: Given, plan: AccountPlan): Given {
  const ids = new Set(check.steps.flatMap((step) => (step.kind === "state" ? step.id : [])));
  const calls = callsOf(check);
  const isFree = calls.every((call) => isRead(call, plan) && valueNeeded(call, ids, plan) === undefined);
  if (check.kind !== "probe" || ids.size === 0 || !isFree || "varies" in check) return check;
  const { control } = check;
  const organization = baseSteps(plan.base);
  const steps = [...organization, ...calls];
  return control === undefined
    ? { ...check, steps }
    : { ...check, steps, control: [...organization, ...callsOf({ steps: control })] };
}

/** The read of a check as any organization accepts it, whatever it then returns. Undefined if it is no such read. */
export function readInAnyOrganization(check: Check, plan: AccountPlan): Check | undefined {
  const [call, ...others] = callsOf(check);
  if (call === undefined || others.length > 0 || !isRead(call, plan)) return undefined;
  const states = check.steps.some(({ kind }) => kind === "state") ? baseSteps(plan.base) : [];
  const { body: _, bytes: __, hides: ___, ...expect } = call.expect;
  const read: Check = { ...check, rules: [], steps: [...states, { ...call, expect }] };
  const given = check.steps.flatMap((step) => (step.kind === "state" ? step.id : []));
  const usesStates = valueNeeded(call, new Set(given), plan) !== undefined;
  return usesStates || whyNotWithAccounts(read, plan) !== undefined ? undefined : read;
}
