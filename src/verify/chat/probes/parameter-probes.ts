import { boundTexts, type NamedText, oddTexts, wrongTexts } from "./parameter-values.js";
import {
  type Expectation,
  expectedRefusal,
  makeProbe,
  type Probe,
  sentValue,
  successesOf,
  successWith,
} from "./probe.js";
import type { ProbedOperation, ProbedParameter } from "./probed-operation.js";

/**
 * Lists what the schemas state about each parameter: required ones omitted, wrong types, values at and beyond each
 * bound, texts that the contract does not mention, repeated parameters, and form fields in the query string.
 */
export function parameterProbes(operation: ProbedOperation): Probe[] {
  // Only the tus protocol, to which the contract only refers, has header parameters.
  return operation.parameters
    .filter(({ place }) => place !== "header")
    .flatMap((parameter) => probesOf(operation, parameter));
}

function probesOf(operation: ProbedOperation, parameter: ProbedParameter): Probe[] {
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
  return place === "path"
    ? probes
    : [...missingProbes(operation, parameter), ...probes, ...misplacedProbes(operation, parameter)];
}

function missingProbes(operation: ProbedOperation, { name, required }: ProbedParameter): Probe[] {
  const base = successWith(operation, { name });
  if (base === undefined || !required) return [];
  const rules = operation.rules.flatMap(({ id, "shown-by": shownBy }) =>
    shownBy?.kind === "missing-parameter" && shownBy.parameter === name ? id : [],
  );
  return [
    makeProbe(operation, {
      name: `${name}-missing`,
      summary: `\`${name}\` is omitted`,
      rules,
      base,
      change: { kind: "omit", parameter: name },
      expectation: expectedRefusal(operation, rules),
    }),
  ];
}

/** The contract leaves open whether a repeated parameter counts, or one in the query string of a request other than GET. */
function misplacedProbes(operation: ProbedOperation, { name, place, isFile }: ProbedParameter): Probe[] {
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

/** Lists random requests of an operation with parameters: correct ones, and ones with a single invalid value. */
export function randomProbes(operation: ProbedOperation): Probe[] {
  const [base] = successesOf(operation);
  const varied = operation.parameters.filter(({ place, isFile }) => place !== "header" && !isFile);
  if (base === undefined || varied.length === 0) return [];
  const requests = makeProbe(operation, {
    name: "random-requests",
    summary: "Random correct requests",
    base,
    change: { kind: "random-requests" },
    expectation: { kind: "any" },
  });
  if (!varied.some((parameter) => wrongTexts(operation.document, parameter, undefined).length > 0)) return [requests];
  const violations = makeProbe(operation, {
    name: "random-violations",
    summary: "Random requests with exactly one invalid value",
    base,
    change: { kind: "random-violations" },
    expectation: { kind: "refused-some-way" },
  });
  return [requests, violations];
}
