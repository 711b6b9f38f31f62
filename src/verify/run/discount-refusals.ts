import { callsOf, expectedOf, expectsRefusal, expectsSuccess, isOutsider } from "../../contract/calls.js";
import type { CallStep, Check as PlannedCheck } from "../../contract/check.js";
import { compileMatcher } from "../../judge/compile-matcher.js";
import type { CheckResult } from "../../report/model/check-result.js";
import { shownRules } from "../../report/model/check-result.js";
import { groupBy } from "../../text/group-by.js";
import type { Planned } from "./planned.js";
import type { Operations } from "./removals.js";

/** The parameters that a server has accepted, by operation: those of requests that succeeded. */
export type Accepted = ReadonlyMap<string, ReadonlySet<string>>;

/** The parameters of the requests that succeeded in the checks that passed. */
export function acceptedIn(checks: readonly CheckResult[], planned: Planned): Accepted {
  const accepted = new Map<string, Set<string>>();
  for (const check of checks) {
    if (check.outcome.kind !== "passed") continue;
    const shown = shownRules(check);
    for (const step of callsOf(planned.get(check.id))) {
      const { call, rules = [] } = step;
      if (call === undefined || !expectsSuccess(step)) continue;
      // A step for which an optional output is missing was not sent.
      if (rules.length > 0 && !rules.some((rule) => shown.includes(rule))) continue;
      const known = accepted.get(call) ?? new Set();
      for (const name of sentIn(step)) known.add(name);
      accepted.set(call, known);
    }
  }
  return accepted;
}

/** What a refusal needs before it shows anything: an operation, and parameters of it that were not accepted so far. */
export interface Doubt {
  readonly operation: string;
  readonly parameters: readonly string[];
}

/** Lists what the refusals in checks need and the server has not accepted. */
export function doubtsIn(
  checks: readonly CheckResult[],
  planned: Planned,
  accepted: Accepted,
  operations: Operations,
): Doubt[] {
  return checks
    .filter((check) => shownRules(check).length > 0)
    .flatMap(({ id }) => {
      const plan = planned.get(id);
      return callsOf(plan).flatMap((step) => doubtOf(plan, step, accepted, operations) ?? []);
    });
}

/** Finds the cases whose success would dispel doubts: of each operation, and with each parameter. */
export function controlsFor(doubts: readonly Doubt[], planned: readonly PlannedCheck[]): PlannedCheck[] {
  const successes = planned
    .filter(({ kind }) => kind === "case")
    .flatMap((one) => callsOf(one).flatMap((step) => (expectsSuccess(step) ? { one, step } : [])));
  const ofOperation = groupBy(successes, ({ step }) => step.call ?? "");
  const successOf = (operation: string, parameter: string | undefined) =>
    ofOperation.get(operation)?.find(({ step }) => parameter === undefined || sentIn(step).includes(parameter))?.one;
  const found = doubts.flatMap(({ operation, parameters }) =>
    (parameters.length === 0 ? [undefined] : parameters).flatMap((name) => successOf(operation, name) ?? []),
  );
  return [...new Set(found)];
}

/**
 * Removes the rules that only refusals show which may have another cause: no request of the operation succeeded, or none with a parameter
 * that the refused request sends, so that the server may not have it at all.
 */
export function discountRefusals(
  checks: readonly CheckResult[],
  planned: Planned,
  accepted: Accepted,
  operations: Operations,
): CheckResult[] {
  return checks.map((check) => {
    const shown = shownRules(check);
    const plan = shown.length === 0 ? undefined : planned.get(check.id);
    if (plan === undefined) return check;
    const doubtful = callsOf(plan).map((call) => ({ call, doubt: doubtOf(plan, call, accepted, operations) }));
    const [first] = doubtful.flatMap(({ doubt }) => doubt ?? []);
    if (first === undefined) return check;
    const named = new Set(plan.steps.flatMap(({ rules = [] }) => rules));
    const rulesOf = ({ rules = plan.rules.filter((rule) => !named.has(rule)) }: CallStep) => rules;
    const doubted = new Set(doubtful.flatMap(({ call, doubt }) => (doubt === undefined ? [] : rulesOf(call))));
    const left = shown.filter((rule) => !doubted.has(rule));
    if (left.length === shown.length) return check;
    const reason = describe(first);
    return {
      ...check,
      outcome: { ...check.outcome, shown: left, ...(check.outcome.kind === "passed" ? { reason } : {}) },
    };
  });
}

function doubtOf(
  check: PlannedCheck | undefined,
  step: CallStep,
  accepted: Accepted,
  operations: Operations,
): Doubt | undefined {
  const { as, readBack } = step;
  // A probe with a request of its own, such as another method, is about the operation from which it is derived.
  const call = step.call ?? (check?.kind === "probe" ? check.operation : undefined);
  // What any response may show, refusals alone do not.
  const isAny = allowsAny(step);
  const { needsLogin = true, parameters: described = [] } = operations.get(call ?? "") ?? {};
  if (call === undefined || readBack !== undefined || (isOutsider(as) && needsLogin)) return undefined;
  if (!isAny && !expectsRefusal(step)) return undefined;
  const known = accepted.get(call);
  const sent = isAny ? [] : sentIn(step);
  const parameters = sent.filter((name) => described.some((one) => one.name === name) && !known?.has(name));
  return known !== undefined && parameters.length === 0 ? undefined : { operation: call, parameters };
}

/** Whether a call may succeed or be refused. */
function allowsAny(step: CallStep): boolean {
  const { status } = expectedOf(step);
  if (typeof status !== "object") return status === undefined;
  return [200, 400].every((one) => compileMatcher(status)(one, () => undefined) === undefined);
}

/** The parameters that a call sends. */
function sentIn({ with: values, written = {} }: CallStep): string[] {
  return Object.keys(values).filter((name) => written[name] !== "omitted");
}

function describe({ operation, parameters: [first] }: Doubt): string {
  const what = first === undefined ? `no request of ${operation}` : `no request of ${operation} with \`${first}\``;
  return `${what} succeeded, so that a refusal may have another cause`;
}
