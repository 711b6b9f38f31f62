import { callerName, isOutsider } from "../../contract/calls.js";
import type { CallStep, Check, StateStep, Step } from "../../contract/check.js";
import { literal } from "../../contract/expressions.js";
import { pointerKeys, valueAt, valuesAt } from "../../contract/json-pointer.js";
import { mapTexts } from "../../contract/map-texts.js";
import type { Matcher } from "../../contract/matcher.js";
import type { Case } from "../../contract/rest/cases.js";
import type { Schema } from "../../contract/rest/document.js";
import { isReadBack, type ReadBack } from "../../contract/rest/read-back.js";
import { baseState, type StatesCatalogue } from "../../contract/rest/states.js";

/** What cases refer to. */
export interface CaseContext {
  readonly catalogue: StatesCatalogue;
  /** Who calls if a case does not say. */
  readonly plain: string;
  /** A JSON pointer to the code of an error. Undefined if errors have none. */
  readonly errorCode: string | undefined;
  /** How refused requests are read back. Undefined if this level does not. */
  readonly readBack: ReadBack | undefined;
  /** Whether an operation takes credentials. */
  readonly needsLogin: (operationId: string) => boolean;
}

const known = new WeakMap<CaseContext, WeakMap<Case, Check>>();

/**
 * Returns the check of a case: its provider states, and one call between reads if it must change nothing. It is derived once, because dozens
 * of probes vary it.
 */
export function caseCheck(one: Case, context: CaseContext): Check {
  const checks = known.get(context) ?? new WeakMap<Case, Check>();
  known.set(context, checks);
  const check = checks.get(one) ?? deriveCheck(one, context);
  checks.set(one, check);
  return check;
}

function deriveCheck(one: Case, context: CaseContext): Check {
  const { operationId, name, summary, rule, also, reliesOn, recommendedBy } = one;
  const rules = [...new Set([rule, ...also])];
  const { readBack } = context;
  const isRead = readBack !== undefined && isReadBack(one, readBack);
  const call = callOf(one, rules, context);
  const reads = isRead ? readsOf(one, readBack) : { before: [], after: [] };
  const all = [...rules, ...(isRead ? [readBack.rule] : []), ...[recommendedBy ?? []].flat()];
  return {
    id: `case ${operationId}/${name}`,
    kind: "case",
    operation: operationId,
    summary,
    rules: expectsOnlyEmptyValues(one) ? [] : all,
    reliesOn,
    steps: [...statesOf(one, call, context), ...reads.before, call, ...reads.after],
  };
}

function statesOf({ given, as, request }: Case, call: CallStep, { catalogue }: CaseContext): Step[] {
  const examples = examplesOf(request);
  const base = baseState(catalogue);
  const states =
    given.length === 0 && !isOutsider(as) && base !== undefined ? [{ state: base, params: {}, rename: {} }] : given;
  const used = new Set(expressionHeads(call));
  return states.map(({ state, params, rename }, index) => ({
    kind: "state",
    id: stateId(index),
    state,
    params,
    rename,
    values: [...used].flatMap(([id, value]) => (id === stateId(index) ? value : [])),
    ...defaultsOf(catalogue["x-states"][state]?.values ?? {}, rename, examples),
  }));
}

function examplesOf({ path, query, header, body }: Case["request"]): Readonly<Record<string, unknown>> {
  return { ...path, ...query, ...header, ...body };
}

/** The examples that stay if a state leaves out a value of the same name. An id must come from the server. */
function defaultsOf(
  { properties = {}, required = [] }: Schema,
  rename: Readonly<Record<string, string>>,
  examples: Readonly<Record<string, unknown>>,
): Pick<StateStep, "defaults"> {
  const optional = Object.entries(properties).flatMap(([name, { type }]) =>
    required.includes(name) || type === "integer" ? [] : (rename[name] ?? name),
  );
  const kept = optional.filter((name) => Object.hasOwn(examples, name));
  return kept.length === 0 ? {} : { defaults: Object.fromEntries(kept.map((name) => [name, examples[name]])) };
}

function stateId(index: number): string {
  return `given-${index + 1}`;
}

function expressionHeads(value: unknown): [id: string, name: string][] {
  return [...new Set(JSON.stringify(value).match(/\$given-\d+\.\w+/g))].map((text) => {
    const [id = "", name = ""] = text.slice(1).split(".");
    return [id, name];
  });
}

function callOf(one: Case, rules: readonly string[], { catalogue, needsLogin, errorCode }: CaseContext): CallStep {
  const { operationId, as, bind, request, response, exact, open, recommendedBy } = one;
  const given = valuesOf(one, catalogue);
  const examples = examplesOf(request);
  const injected = Object.keys(examples).filter((name) => given.has(name));
  const replaced: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(injected.map((name) => [name, given.get(name)])),
    ...Object.fromEntries(Object.entries(bind).map(([name, source]) => [name, boundTo(source, given)])),
  };
  const written = Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, mapTexts(value, literal)]));
  const isCoded = response.status >= 400 && open === undefined && errorCode !== undefined;
  const pointers = isCoded ? [errorCode, ...exact] : exact;
  const wanted = replaceRepeated(response.body, examples, replaced);
  const body = open === undefined ? Object.fromEntries(pointers.map((at) => [at, exactly(exampleAt(wanted, at))])) : {};
  return {
    kind: "call",
    id: "call",
    as: needsLogin(operationId) ? as : "nobody",
    call: operationId,
    with: { ...written, ...replaced },
    guesses: one.guesses,
    ...(one.isExample ? { precondition: "accepted" as const } : {}),
    expect: [
      {
        status: one.isExample && response.status < 300 ? "2XX" : open === undefined ? response.status : "4XX",
        recommendedBy,
        ...(Object.keys(body).length === 0 ? {} : { body }),
      },
    ],
    rules,
  };
}

/** The values that the states of a case return, as expressions; of several with one name, the last. */
function valuesOf({ given }: Case, { "x-states": states }: StatesCatalogue): ReadonlyMap<string, string> {
  const values = given.flatMap(({ state, rename }, index) =>
    Object.keys(states[state]?.values?.properties ?? ({} as Record<string, Schema>)).map((name): [string, string] => {
      const known = rename[name] ?? name;
      return [known, `$${stateId(index)}.${known}`];
    }),
  );
  return new Map(values);
}

/** Replaces each dotted path, such as `credentials.other.user_id`, with its expression. */
function boundTo(source: unknown, given: ReadonlyMap<string, string>): unknown {
  return mapTexts(source, (text) => {
    const [head = "", ...rest] = text.split(".");
    if (head === "credentials") return `$${text}`;
    return [given.get(head) ?? `$${text}`, ...rest].join(".");
  });
}

/** The call of a case with the examples of the contract, without credentials. */
export function exampleCall({ operationId, request, response, guesses }: Case): CallStep {
  const values = Object.entries(examplesOf(request)).map(([name, value]) => [name, mapTexts(value, literal)]);
  return {
    kind: "call",
    id: "call",
    as: "nobody",
    call: operationId,
    with: Object.fromEntries(values),
    guesses,
    expect: [{ status: response.status }],
  };
}

/** The value at a pointer of `exact`; with `*`, the list of all values that it leads to. */
function exampleAt(body: unknown, pointer: string): unknown {
  return pointerKeys(pointer).includes("*") ? valuesAt(body, pointer) : valueAt(body, pointer);
}

function exactly(value: unknown): Matcher {
  if (value === undefined) return { present: false };
  return typeof value === "object" && value !== null ? { equals: value } : (value as Matcher);
}

/** Replaces fields of the response that repeat a replaced example, and writes all other texts as they are. */
function replaceRepeated(
  body: unknown,
  examples: Readonly<Record<string, unknown>>,
  replaced: Readonly<Record<string, unknown>>,
): unknown {
  if (typeof body === "string") return literal(body);
  if (Array.isArray(body)) return body.map((item) => replaceRepeated(item, examples, replaced));
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const repeats = Object.hasOwn(replaced, name) && JSON.stringify(value) === JSON.stringify(examples[name]);
      return [name, repeats ? replaced[name] : replaceRepeated(value, examples, replaced)];
    }),
  );
}

function readsOf({ as }: Case, readBack: ReadBack): { before: Step[]; after: Step[] } {
  const { call, with: values, compare, except, rule } = readBack;
  const readers = [...new Set([callerName(as), readBack.as])].filter((caller) => !isOutsider(caller));
  const read = (caller: string, id: string, since?: string): CallStep => ({
    kind: "call",
    id,
    as: caller,
    call,
    with: values,
    expect: [],
    rules: since === undefined ? undefined : [rule],
    readBack: { since, compare, except },
  });
  return {
    before: readers.map((caller) => read(caller, `before-${caller}`)),
    after: readers.map((caller) => read(caller, `after-${caller}`, `before-${caller}`)),
  };
}

/** Whether a success case fixes only empty values. A response without any value passes it, so it can break rules but show none. */
function expectsOnlyEmptyValues({ exact, response: { status, body } }: Case): boolean {
  return status < 300 && exact.length > 0 && exact.every((pointer) => isEmpty(exampleAt(body, pointer)));
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
