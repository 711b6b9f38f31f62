import { type Expectation, expectedRefusal, makeProbe, type Probe, sentValue, successesOf } from "./probe.js";
import type { ProbedOperation, ProbedParameter } from "./probed-operation.js";

/**
 * Lists requests in which a parameter with `x-refers-to` has the id or name of an object in another organization. For
 * the caller, that object must not exist.
 */
export function referenceProbes(operation: ProbedOperation): Probe[] {
  return operation.parameters.flatMap((parameter) => probeReference(operation, parameter));
}

function probeReference(operation: ProbedOperation, { name, reference }: ProbedParameter): Probe[] {
  if (reference === undefined) return [];
  const sending = successesOf(operation).filter((one) => sentValue(one, name) !== undefined);
  // Prefer cases that send an id: a text may be a keyword, such as the anchor `newest`, which refers to no object.
  const ids = sending.filter((one) => typeof sentValue(one, name) !== "string");
  const bases = ids.length > 0 ? ids : sending;
  // Prefer a caller who may do everything, so that only the reference is wrong.
  const base = bases.find(({ as }) => as === "administrator" || as === "owner") ?? bases[0];
  if (base === undefined) return [];
  const rules = operation.rules.map(({ id }) => id).filter((id) => reference.rules?.includes(id));
  const isAllowed = reference.inaccessible === "allowed";
  const expectation: Expectation = isAllowed
    ? { kind: rules.length > 0 ? "succeeds" : "any" }
    : expectedRefusal(operation, rules);
  return [
    makeProbe(operation, {
      name: `${name}-of-another-organization`,
      summary: `\`${name}\` refers to another organization`,
      rules,
      reliesOn: reference["relies-on"] ?? [],
      base,
      change: { kind: "foreign", parameter: name },
      expectation,
    }),
  ];
}
