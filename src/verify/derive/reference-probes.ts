import { callerName, expectedOf } from "../../contract/calls.js";
import type { CallStep, Check, Expected, StateStep } from "../../contract/check.js";
import { expressionsIn } from "../../contract/expressions.js";
import type { Matcher } from "../../contract/matcher.js";
import type { ProbedOperation, ProbedParameter } from "../../contract/rest/probed-operation.js";
import type { StatesCatalogue } from "../../contract/rest/states.js";
import type { CaseContext } from "./case-checks.js";
import { anyResponse, expectedRefusal, probe, sentValue, statesOf, success, successesOf } from "./probe.js";

/** Occurs in texts of the other organization, and nowhere else. */
const foreignMark = "zqforeignqz";

/**
 * Lists requests in which a parameter with `x-refers-to` has the id or name of an object in another organization. For
 * the caller, that object must not exist.
 */
export function referenceProbes(operation: ProbedOperation, context: CaseContext): Check[] {
  return operation.parameters.flatMap((parameter) => probeReference(operation, parameter, context));
}

function probeReference(
  operation: ProbedOperation,
  { name, reference }: ProbedParameter,
  context: CaseContext,
): Check[] {
  if (reference === undefined) return [];
  const sends = successesOf(operation).filter((one) => sentValue(one, name) !== undefined);
  // Prefer cases that send an id: a text may be a keyword, such as `newest`, which refers to no object.
  const ids = sends.filter((one) => typeof sentValue(one, name) !== "string");
  const bases = ids.length > 0 ? ids : sends;
  // Prefer a caller who may do everything, so that only the reference is wrong.
  const { "x-roles": roles = [] } = context.catalogue;
  const plainRank = roles.indexOf(context.plain);
  const base =
    bases.find(({ as }) => roles.includes(callerName(as)) && roles.indexOf(callerName(as)) < plainRank) ?? bases[0];
  if (base === undefined) return [];
  const rules = operation.rules.map(({ id }) => id).filter((id) => reference.rules?.includes(id));
  const isAllowed = reference.inaccessible === "allowed";
  const expect = isAllowed ? (rules.length > 0 ? success : anyResponse) : expectedRefusal(operation, rules);
  const check = probe(
    operation,
    {
      name: `${name}-of-another-organization`,
      summary: `\`${name}\` refers to another organization`,
      rules,
      reliesOn: reference["relies-on"] ?? [],
      base,
      change: (call) => ({ with: { ...call.with, [name]: foreign(call.with[name]) } }),
      expect,
    },
    context,
  );
  const call = check.steps.at(-1) as CallStep;
  const used = expressionsIn(call.with[name]).filter((expression) => expression.startsWith("foreign-"));
  if (used.length === 0) return [];
  const { "absent-from": list } = reference;
  const others = statesOf(check).map((state, index, all) => {
    const isLast = index === all.length - 1;
    return foreignState(state, index, { used, isLast, freeTexts: freeTextsOf(context.catalogue, state.state) });
  });
  const expected = expectedOf(call);
  const judged: Expected = {
    ...expected,
    hides: [foreignMark, "$foreign-1.credentials"],
    ...(list === undefined ? {} : { body: { ...expected.body, [list]: withoutIds(used) } }),
  };
  return [{ ...check, steps: [...statesOf(check), ...others, { ...call, expect: [judged] }] }];
}

/** The same expression about the other organization. */
function foreign(value: unknown): unknown {
  if (typeof value === "string")
    return value.replace(/^\$given-/, "$foreign-").replace(/^\$credentials\./, "$foreign-1.credentials.");
  if (Array.isArray(value)) return value.map(foreign);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, foreign(item)]));
}

/** The parameters of a state with free text, to which nothing else in the states refers. */
function freeTextsOf({ "x-states": states }: StatesCatalogue, state: string): string[] {
  const properties = Object.entries(states[state]?.params?.properties ?? {});
  return properties.flatMap(([name, schema]) => (schema["x-free-text"] ? [name] : []));
}

interface ForeignState {
  /** The expressions of the parameter, about the other organization. */
  readonly used: readonly string[];
  readonly isLast: boolean;
  readonly freeTexts: readonly string[];
}

/** The same state in another organization, whose texts contain `foreignMark`. */
function foreignState(
  { id, params, ...state }: StateStep,
  index: number,
  { used, isLast, freeTexts }: ForeignState,
): StateStep {
  const mark = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(mark) : `${String(value)} ${foreignMark}`;
  const marked = Object.entries(params).map(([name, value]) => [name, freeTexts.includes(name) ? mark(value) : value]);
  // An organization with the same id or name shows nothing.
  const differs = used.map((expression): [string, Matcher] => [
    `$${expression}`,
    { not: `$${expression.replace(/^foreign-1\.credentials/, "credentials").replace(/^foreign-/, "given-")}` },
  ]);
  return {
    ...state,
    id: id.replace("given-", "foreign-"),
    params: Object.fromEntries(marked),
    ...(index === 0 ? { fresh: true } : { within: "foreign-1" }),
    ...(isLast ? { precondition: true, expect: Object.fromEntries(differs) } : {}),
  };
}

function withoutIds(used: readonly string[]): Matcher {
  return {
    any: [
      { present: false },
      { every: { at: { "/id": { all: used.map((expression) => ({ not: `$${expression}` })) } } } },
    ],
  };
}
