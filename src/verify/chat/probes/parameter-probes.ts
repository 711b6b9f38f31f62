import { boundTexts } from "./bounds.js";
import { kebab, makeProbe, refusalOf, sentValue, successWith } from "./listed-probes.js";
import { oddTexts } from "./odd-texts.js";
import type { Expectation, Probe } from "./probe.js";
import type { ProbedOperation, ProbedParameter } from "./probed-operation.js";
import { type NamedText, wrongTexts } from "./wrong-values.js";

/**
 * What the schemas say of each parameter: required ones left out, wrong types, beyond and at each bound, texts of which the contract
 * says nothing, sent twice, and in the query string instead of the body.
 */
export function parameterProbes(operation: ProbedOperation): Probe[] {
  // Those of the one operation with headers of its own are of the tus protocol, which the contract only refers to.
  return operation.parameters
    .filter(({ place }) => place !== "header")
    .flatMap((parameter) => ofParameter(operation, parameter));
}

function ofParameter(operation: ProbedOperation, parameter: ProbedParameter): Probe[] {
  const base = successWith(operation, parameter);
  if (base === undefined) return [];
  const { name, place, schema } = parameter;
  const sample = sentValue(base, name) ?? schema.examples?.[0];
  const { within, beyond } = boundTexts(operation.document, parameter, sample);
  const replaced = (texts: readonly NamedText[], expectation: Expectation) =>
    texts.map(({ name: what, summary, text }) =>
      makeProbe(operation, {
        name: `${name}-${what}`,
        summary: `\`${name}\` ${summary}`,
        base,
        change: { kind: "replace", parameter: name, text },
        expectation,
      }),
    );
  const refused: Expectation = { kind: place === "path" ? "refused-or-not-found" : "refused-some-way" };
  const probes = [
    ...replaced([...wrongTexts(operation.document, parameter, sample), ...beyond], refused),
    ...replaced([...within, ...oddTexts(parameter)], { kind: "any" }),
  ];
  return place === "path" ? probes : [...missing(operation, parameter), ...probes, ...elsewhere(operation, parameter)];
}

function missing(operation: ProbedOperation, { name, required }: ProbedParameter): Probe[] {
  const base = successWith(operation, { name });
  if (base === undefined || !required) return [];
  const rule = `${operation.feature}.${kebab(name)}-required`;
  return [
    makeProbe(operation, {
      name: `${name}-missing`,
      summary: `\`${name}\` is left out`,
      rules: [rule],
      base,
      change: { kind: "leave-out", parameter: name },
      expectation: refusalOf(operation, rule),
    }),
  ];
}

/** What the contract leaves open: whether a parameter counts that is repeated, or that is in the query string of another request than GET. */
function elsewhere(operation: ProbedOperation, { name, place, isFile }: ProbedParameter): Probe[] {
  const base = successWith(operation, { name });
  if (base === undefined || sentValue(base, name) === undefined) return [];
  const open = (what: string, summary: string, kind: "repeat" | "move-to-query") =>
    makeProbe(operation, {
      name: `${name}-${what}`,
      summary: `\`${name}\` ${summary}`,
      base,
      change: { kind, parameter: name },
      expectation: { kind: "any" },
    });
  return [
    open("repeated", "is sent twice", "repeat"),
    ...(place === "body" && !isFile
      ? [open("in-query", "is in the query string instead of the body", "move-to-query")]
      : []),
  ];
}
