import type { CallStep, Check, Expected } from "../../contract/check.js";
import { literal, literals } from "../../contract/expressions.js";
import type { Case } from "../../contract/rest/cases.js";
import { resolve, type Schema } from "../../contract/rest/document.js";
import type { ProbedOperation, ProbedParameter } from "../../contract/rest/probed-operation.js";
import { shapeOf } from "../../contract/rest/request-body.js";
import { isScalar } from "../../contract/rest/response-schemas.js";
import { sampleValue } from "../../contract/rest/sample.js";
import type { CaseContext } from "./case-checks.js";
import { boundTexts, type NamedText, oddTexts, probedParameters, wrongTexts, wrongValues } from "./parameter-values.js";
import {
  anyResponse,
  expectedRefusal,
  probe,
  refusedSomeWay,
  sentValue,
  successesOf,
  successWith,
  writing,
} from "./probe.js";

/** A router may reject the value of a path parameter. */
const notFound = [404, 405];

/**
 * Lists what the schemas state about each parameter: required ones omitted, wrong types, values at and beyond each
 * bound, texts that the contract does not mention, repeated parameters, and form fields in the query string.
 */
export function parameterProbes(operation: ProbedOperation, context: CaseContext): Check[] {
  return probedParameters(operation).flatMap((parameter) => probesOf(operation, parameter, context));
}

function probesOf(operation: ProbedOperation, parameter: ProbedParameter, context: CaseContext): Check[] {
  const base = successWith(operation, parameter);
  if (base === undefined) return [];
  const { name, place, schema } = parameter;
  const sample = sentValue(base, name) ?? schema.examples?.[0];
  const { within, beyond } = boundTexts(operation.document, parameter, sample);
  const open = (expect: Expected) =>
    place === "path" ? { ...expect, open: [expect.open ?? [], notFound].flat() as number[] } : expect;
  const replaced = (texts: readonly NamedText[], expect: Expected) =>
    texts.map(({ name: what, summary, text }) =>
      probe(
        operation,
        {
          name: `${name}-${what}`,
          summary: `\`${name}\` ${summary}`,
          base,
          change: writing(name, "text", literal(text)),
          expect: open(expect),
        },
        context,
      ),
    );
  const probes = [
    ...replaced([...wrongTexts(operation.document, parameter, sample), ...beyond], refusedSomeWay),
    ...replaced([...within, ...oddTexts(parameter)], anyResponse),
    ...memberProbes(operation, parameter, base, context),
  ];
  return place === "path"
    ? probes
    : [...missingProbes(operation, parameter, context), ...probes, ...misplacedProbes(operation, parameter, context)];
}

/** Requests with one member of an object that is wrong, such as `page[number]=no-such-value`. */
function memberProbes(
  operation: ProbedOperation,
  parameter: ProbedParameter,
  base: Case,
  context: CaseContext,
): Check[] {
  const { document } = operation;
  const { name, style, json, isFile, schema } = parameter;
  const shape = style === undefined || json || isFile ? undefined : shapeOf(document, schema);
  if (shape === undefined) return [];
  const sent = sentValue(base, name) ?? sampleValue(document, schema, "request");
  return Object.entries(shape.properties).flatMap(([member, given]) => {
    const inner = { ...parameter, schema: resolve<Schema>(document, given) };
    const [wrong] = isScalar(document, inner.schema) ? wrongTexts(document, inner, undefined) : [];
    if (wrong === undefined) return [];
    const value = { ...(typeof sent === "object" ? sent : {}), [member]: wrong.text };
    const notes = {
      name: `${name}-${member}-${wrong.name}`,
      summary: `\`${name}\` has a member \`${member}\` that ${wrong.summary}`,
      base,
      change: (call: CallStep) => ({ with: { ...call.with, [name]: literals(value) } }),
      expect: refusedSomeWay,
    };
    return [probe(operation, notes, context)];
  });
}

function missingProbes(operation: ProbedOperation, parameter: ProbedParameter, context: CaseContext): Check[] {
  const { name, required } = parameter;
  const base = successWith(operation, { name });
  if (base === undefined || !required) return [];
  const rules = operation.rules.flatMap(({ id, "shown-by": shownBy }) =>
    shownBy?.kind === "missing-parameter" && shownBy.parameter === name ? id : [],
  );
  if (rules.length === 0 && leavesNoBody(operation, parameter, base)) return [];
  const notes = {
    name: `${name}-missing`,
    summary: `\`${name}\` is omitted`,
    rules,
    base,
    change: writing(name, "omitted"),
    expect: expectedRefusal(operation, rules),
  };
  return [probe(operation, notes, context)];
}

/** Whether a form would have no field left without this one, and so be no body, which the operation does not need. */
function leavesNoBody(operation: ProbedOperation, { name, place }: ProbedParameter, base: Case): boolean {
  const isForm = operation.body === "form" || operation.body === "multipart";
  if (place !== "body" || !isForm || operation.requiresBody) return false;
  return operation.parameters.every(
    (one) => one.place !== "body" || one.name === name || sentValue(base, one.name) === undefined,
  );
}

/** The contract leaves open whether a repeated parameter counts, or one in the query string of a request other than GET. */
function misplacedProbes(
  operation: ProbedOperation,
  { name, place, isFile }: ProbedParameter,
  context: CaseContext,
): Check[] {
  const base = successWith(operation, { name });
  if (base === undefined || sentValue(base, name) === undefined) return [];
  const open = (what: string, summary: string, how: "twice" | "query") =>
    probe(
      operation,
      {
        name: `${name}-${what}`,
        summary: `\`${name}\` ${summary}`,
        base,
        change: writing(name, how),
        expect: anyResponse,
      },
      context,
    );
  return [
    open("repeated", "is sent twice", "twice"),
    ...(place === "body" && !isFile && operation.body !== "json" && operation.body !== "raw"
      ? [open("in-query", "is in the query string instead of the body", "query")]
      : []),
  ];
}

/** The random requests of an operation with parameters: correct ones, and ones with a single invalid value. */
export function randomProbes(operation: ProbedOperation, context: CaseContext): RandomProbe[] {
  const [base] = successesOf(operation);
  const varied = probedParameters(operation).filter(({ isFile }) => !isFile);
  if (base === undefined || varied.length === 0) return [];
  const isRefutable = varied.some((parameter) => wrongValues(operation.document, parameter).length > 0);
  const make = (name: RandomProbe["varies"], summary: string, expect: Expected): RandomProbe => ({
    ...probe(operation, { name: `random-${name}`, summary, base, change: () => ({}), expect }, context),
    varies: name,
    baseWith: (parameter) => (parameter === undefined ? base : (successWith(operation, { name: parameter }) ?? base)),
  });
  return [
    make("requests", "Random correct requests", anyResponse),
    ...(isRefutable ? [make("violations", "Random requests with exactly one invalid value", refusedSomeWay)] : []),
  ];
}

/** A check that sends many random requests. */
export interface RandomProbe extends Check {
  readonly varies: "requests" | "violations";
  /** The case in which to vary a parameter, so that nothing else in the request is wrong. */
  readonly baseWith: (parameter: string | undefined) => ProbedOperation["cases"][number];
}
