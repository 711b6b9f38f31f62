import type { CallStep, Check, Expectation, StateStep } from "../../contract/check.js";
import { expressionsIn } from "../../contract/expressions.js";
import type { Matcher } from "../../contract/matcher.js";
import type { ProbedOperation, ProbedParameter } from "../../contract/rest/probed-operation.js";
import type { CaseContext } from "./case-checks.js";
import { anyResponse, expectedRefusal, probe, sentValue, statesOf, success, successesOf } from "./probe.js";

/** Occurs in texts of the other organization, and nowhere else. */
export const foreignMark = "zqforeignqz";

/** Parameters of states with free text, to which nothing else in the states refers. */
const freeTexts: ReadonlySet<string> = new Set(["content", "contents", "status_text", "text", "full_name"]);

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
  // Prefer cases that send an id: a text may be a keyword, such as the anchor `newest`, which refers to no object.
  const ids = sends.filter((one) => typeof sentValue(one, name) !== "string");
  const bases = ids.length > 0 ? ids : sends;
  // Prefer a caller who may do everything, so that only the reference is wrong.
  const { "x-roles": roles = [] } = context.catalogue;
  const plainRank = roles.indexOf(context.plain);
  const base = bases.find(({ as }) => roles.includes(as) && roles.indexOf(as) < plainRank) ?? bases[0];
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
  const isMessage = reference.kind === "message";
  const others = statesOf(check).map((state, index, all) => foreignState(state, index, used, index === all.length - 1));
  const judged: Expectation = {
    ...call.expect,
    hides: [foreignMark, "$foreign-1.credentials"],
    ...(isMessage ? { body: { ...call.expect.body, "/messages": withoutIds(used) } } : {}),
  };
  return [{ ...check, steps: [...statesOf(check), ...others, { ...call, expect: judged }] }];
}

/** The same expression about the other organization. */
function foreign(value: unknown): unknown {
  if (typeof value === "string")
    return value.replace(/^\$given-/, "$foreign-").replace(/^\$credentials\./, "$foreign-1.credentials.");
  if (Array.isArray(value)) return value.map(foreign);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, foreign(item)]));
}

/** The same state in another organization, whose texts contain `foreignMark`. */
function foreignState(
  { id, params, ...state }: StateStep,
  index: number,
  used: readonly string[],
  isLast: boolean,
): StateStep {
  const mark = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(mark) : `${String(value)} ${foreignMark}`;
  const marked = Object.entries(params).map(([name, value]) => [name, freeTexts.has(name) ? mark(value) : value]);
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
