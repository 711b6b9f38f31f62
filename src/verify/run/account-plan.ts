import { callsOf, expectedOf, expectsSuccess, isOutsider } from "../../contract/calls.js";
import type { CallStep, Check, StateStep } from "../../contract/check.js";
import { expressionsIn } from "../../contract/expressions.js";
import type { ProbedOperation, ProbedParameter } from "../../contract/rest/probed-operation.js";
import { baseSteps } from "../../contract/rest/states.js";
import { isAboutOwn, isRead } from "./permission.js";
import { createdAndRemoved, type Operations } from "./removals.js";
import { needsStatesReason } from "./run-steps.js";

/** The accounts of a real organization, which stand for provider states. */
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
  readonly operations: Operations;
}

/** Returns why a check cannot run with the accounts of a real organization, whatever it may send; undefined if it can. */
export function whyNotWithAccounts(check: Check, plan: AccountPlan): string | undefined {
  const states = check.steps.filter((step) => step.kind === "state");
  if (!states.every((state) => isPlainOrganization(state, plan))) return needsStatesReason;
  const ids = new Set(states.map(({ id }) => id));
  const own = createdAndRemoved(check, plan.operations);
  for (const call of callsOf(check)) {
    const need = valueNeeded(call, ids, plan) ?? callerNeeded(call, plan);
    if (need !== undefined) return need;
    if (
      states.length > 0 &&
      !check.leavesNothing &&
      check.derived === undefined &&
      !isAboutOwn(call, own, plan.operations) &&
      isAboutContent(call)
    )
      return "it needs a server without other content: give --states";
  }
  return undefined;
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
  const { body = {}, bytes } = expectedOf(call);
  return expectsSuccess(call) && (Object.keys(body).length > 0 || bytes !== undefined);
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

/**
 * The check without its provider states, if it is a probe that reads and uses none of their values: an invalid value is refused in any
 * organization. Otherwise, the check itself.
 */
export function inAnyOrganization<Given extends Check>(check: Given, plan: AccountPlan): Given {
  const ids = new Set(check.steps.flatMap((step) => (step.kind === "state" ? step.id : [])));
  const calls = callsOf(check);
  const isFree = calls.every((call) => isRead(call, plan.operations) && valueNeeded(call, ids, plan) === undefined);
  if (check.kind !== "probe" || ids.size === 0 || !isFree || "varies" in check) return check;
  const { control } = check;
  const organization = baseSteps(plan.base);
  const steps = [...organization, ...calls];
  return control === undefined
    ? { ...check, steps }
    : { ...check, steps, control: [...organization, ...callsOf({ steps: control })] };
}

/** The check as it runs with accounts, if there are any. */
export function adapted<Given extends Check>(check: Given, plan: AccountPlan | undefined): Given {
  return plan === undefined ? check : inAnyOrganization(check, plan);
}

/** The read of a check as any organization accepts it, whatever it then returns. Undefined if it is no such read. */
export function readInAnyOrganization(check: Check, plan: AccountPlan): Check | undefined {
  const [call, ...others] = callsOf(check);
  if (call === undefined || others.length > 0 || !isRead(call, plan.operations)) return undefined;
  const states = check.steps.some(({ kind }) => kind === "state") ? baseSteps(plan.base) : [];
  const { body: _, bytes: __, hides: ___, ...expected } = expectedOf(call);
  const read: Check = { ...check, rules: [], steps: [...states, { ...call, expect: [expected] }] };
  const given = check.steps.flatMap((step) => (step.kind === "state" ? step.id : []));
  const usesStates = valueNeeded(call, new Set(given), plan) !== undefined;
  return usesStates || whyNotWithAccounts(read, plan) !== undefined ? undefined : read;
}
