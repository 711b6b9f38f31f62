import type { CallStep, Check, Expected, StateStep, Written } from "../../contract/check.js";
import { valueAt } from "../../contract/json-pointer.js";
import type { Case } from "../../contract/rest/cases.js";
import { conventionsOf } from "../../contract/rest/conventions.js";
import type { ProbedOperation, ProbedParameter } from "../../contract/rest/probed-operation.js";
import type { ShownBy } from "../../contract/rest/rule.js";
import { statusRecommendation } from "../../contract/rest/rules.js";
import { type CaseContext, caseCheck, exampleCall } from "./case-checks.js";

/** How a probe differs from a case. */
export interface ProbeNotes {
  /** The part of its id after the operation. */
  readonly name: string;
  readonly summary: string;
  /** The case whose request is changed: a correct request, which succeeds in the states of the case. */
  readonly base: Case;
  /** Changes the call of the case. */
  readonly change: (call: CallStep) => Partial<CallStep>;
  readonly expect: Expected;
  /** Defaults to none. */
  readonly rules?: readonly string[];
  /** Whether only its credentials are wrong. Defaults to false. */
  readonly isAboutCredentials?: boolean;
  /** Besides those of the base. Defaults to none. */
  readonly reliesOn?: readonly string[];
  /** Whether it sends the contract's examples without credentials. Defaults to false. */
  readonly stateless?: true;
}

/** Any refusal. */
export const refusedSomeWay: Expected = { status: "4XX" };
/** Any response that the contract allows. It leaves open which requests are too large or in an unsupported media type. */
export const anyResponse: Expected = { open: [413, 414, 415, 431] };
export const success: Expected = { status: "2XX" };

/** Creates a probe: a check that sends the request of a case with one thing changed. */
export function probe(operation: ProbedOperation, notes: ProbeNotes, context: CaseContext): Check {
  const { name, summary, base, change, expect, reliesOn = [], stateless } = notes;
  const { operationId } = operation;
  const rules = rulesOf(operation, notes);
  const own = stateless ? [exampleCall(base)] : caseCheck(base, context).steps;
  const states = own.filter((step) => step.kind === "state");
  const call = own.find((step): step is CallStep => step.kind === "call" && step.readBack === undefined);
  if (call === undefined) throw new Error(`The case ${operationId}/${base.name} has no call`);
  const step = { ...call, ...change(call), rules, expect: [withRecommendation(operation, rules, expect)] };
  const all = [...(base.reliesOn ?? []), ...reliesOn, ...reliedOnBy(operation, rules)];
  return {
    id: `probe ${operationId}/${name}`,
    kind: "probe",
    operation: operationId,
    summary,
    rules,
    reliesOn: [...new Set(all)],
    ...(states.length === 0 ? {} : { shares: true }),
    steps: [...states, step],
    ...(expect.status === "2XX" ? { control: [...states, call] } : {}),
  };
}

/** The rules that a probe shows: those that it names, or else the implied one that it is about. */
function rulesOf(
  { implied }: ProbedOperation,
  { rules = [], expect, isAboutCredentials }: ProbeNotes,
): readonly string[] {
  if (rules.length > 0 || implied === undefined) return rules;
  if (isAboutCredentials) return [implied.credentials];
  const isAnswered = expect.status === undefined || expect.status === "2XX";
  return isAnswered ? [implied.response, implied.statuses, implied.failures] : [implied.request];
}

/** A refusal with a status from 500 may hide a failure of the server, whatever the probe expects. */
function withRecommendation({ rules }: ProbedOperation, shown: readonly string[], expect: Expected): Expected {
  if (expect.recommendedBy !== undefined || typeof expect.status === "object" || typeof expect.status === "number")
    return expect;
  const recommendedBy = statusRecommendation(rules, shown);
  return recommendedBy === undefined ? expect : { ...expect, recommendedBy };
}

/** Changes how a parameter of a call is written, and its value unless it is the same. */
export function writing(name: string, how: Written, value?: string): ProbeNotes["change"] {
  return (call) => ({
    with: value === undefined ? call.with : { ...call.with, [name]: value },
    written: { ...call.written, [name]: how },
  });
}

/** Finds the rules that a kind of probe shows for an operation, general ones first. */
export function rulesShownBy({ rules }: ProbedOperation, kind: ShownBy["kind"]): string[] {
  return rules.filter((rule) => rule["shown-by"]?.kind === kind).map(({ id }) => id);
}

/** The recommendations that the probes of these rules rely on. */
function reliedOnBy({ rules }: ProbedOperation, shown: readonly string[]): string[] {
  return rules.flatMap(({ id, "shown-by": shownBy }) => (shown.includes(id) ? (shownBy?.["relies-on"] ?? []) : []));
}

/** The cases whose requests succeed, in the order of the contract. */
export function successesOf({ cases }: ProbedOperation): Case[] {
  return cases.filter(({ response, open }) => response.status < 300 && open === undefined);
}

/** The success in which to change a parameter: one that sends it, else the first. Undefined if no case of the operation succeeds. */
export function successWith(operation: ProbedOperation, { name }: Pick<ProbedParameter, "name">): Case | undefined {
  const successes = successesOf(operation);
  return successes.find((one) => sentValue(one, name) !== undefined) ?? successes[0];
}

/** The decoded value of a parameter in the request of a case. */
export function sentValue({ request: { path, query, header, body } }: Pick<Case, "request">, name: string): unknown {
  return [path, query, header, body ?? {}].find((values) => Object.hasOwn(values, name))?.[name];
}

/** The refusal that the cases of these rules expect. Any refusal if there is no such case or it leaves the refusal open. */
export function expectedRefusal({ cases, document }: ProbedOperation, rules: readonly string[]): Expected {
  const isShown = (one: Case) => [one.rule, ...one.also].some((rule) => rules.includes(rule));
  const shown = cases.find((one) => one.response.status >= 400 && isShown(one));
  const pointer = conventionsOf(document).error?.code;
  const code = pointer === undefined ? undefined : valueAt(shown?.response.body, pointer);
  if (shown === undefined || shown.open !== undefined || pointer === undefined || typeof code !== "string")
    return refusedSomeWay;
  const { response, recommendedBy } = shown;
  return {
    status: response.status,
    recommendedBy,
    body: { [pointer]: code },
  };
}

/** The states of a check. */
export function statesOf({ steps }: Check): StateStep[] {
  return steps.filter((step) => step.kind === "state");
}
