import { makeProbe, successesOf } from "./listed-probes.js";
import type { Probe } from "./probe.js";
import type { ProbedOperation } from "./probed-operation.js";
import { wrongTexts } from "./wrong-values.js";

/** Random requests to an operation that has parameters: correct ones, and ones with a single wrong value. */
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
    summary: "Random requests that are correct but for one value",
    base,
    change: { kind: "random-violations" },
    expectation: { kind: "refused-some-way" },
  });
  return [requests, violations];
}
