import type { Arbitrary } from "fast-check";
import { missingPackage } from "../../../missing-package.js";
import type { CheckOutcome } from "../../check.js";
import { fnv1a } from "../../fnv1a.js";
import { needsStates } from "../states/case-setup.js";
import { arbitraryRequests, arbitraryViolations, type FastCheck, type RandomValues } from "./arbitrary-values.js";
import { wrongTexts } from "./parameter-values.js";
import type { Probe } from "./probe.js";
import { successWith } from "./probe.js";
import type { ProbeOrganizations } from "./probe-organizations.js";
import type { ProbedOperation } from "./probed-operation.js";
import { type Attempt, attemptProbe, type ProbedServer } from "./run-probe.js";
import { type WireRequest, withoutParameter, withText } from "./wire-request.js";

/** How to generate random requests. */
export interface RandomOptions {
  readonly seed: number;
  /** The number of requests of each random probe. */
  readonly runs: number;
}

/** The maximum number of further requests to find a smaller one that also fails. */
const maxShrinks = 200;

/**
 * Sends random requests until one fails, looks for the smallest that fails, and sends that again. Only a second failure counts, unless the
 * contract forbids some response in every state. The same seed gives the same requests. Skipped if the package `fast-check` is not
 * installed. Rejects as `attemptProbe` does.
 */
export async function runRandomProbe(
  probe: Probe,
  server: ProbedServer,
  organizationsOf: ((base: Probe["base"]) => ProbeOrganizations) | undefined,
  { seed, runs }: RandomOptions,
): Promise<CheckOutcome> {
  const fc = await loadFastCheck();
  if (fc === undefined) {
    return { kind: "skipped", reason: "it needs fast-check. Install it with: npm install --save-dev fast-check" };
  }
  const operation = server.operations.get(probe.operationId);
  const values = operation && arbitraryOf(fc, probe, operation);
  if (operation === undefined || values === undefined) return { kind: "skipped", reason: "it has nothing to vary" };

  const attempt = async (random: RandomValues, isFresh = false): Promise<Attempt> => {
    const base = organizationsOf === undefined ? probe.base : baseFor(probe, operation, random);
    const one = { ...probe, base, states: needsStates(base) };
    const organizations = one.states ? organizationsOf?.(base) : undefined;
    const own = await (isFresh ? organizations?.fresh() : organizations?.shared());
    return attemptProbe(one, server, own === undefined ? {} : { own }, (wire) => vary(operation, wire, random));
  };

  let sent = 0;
  let fault: unknown;
  let forbidden: Attempt | undefined;
  const property = fc.asyncProperty(values, async (random) => {
    if (fault !== undefined || server.signal.aborted || sent >= runs + maxShrinks) return true;
    sent++;
    try {
      const made = await attempt(random);
      // Each failing request is smaller than the one before.
      if (made.isForbidden) forbidden = made;
      return made.problems.length === 0 && made.deviation === undefined;
    } catch (error) {
      // This is not a finding, so stop without shrinking.
      fault = error;
      return true;
    }
  });
  // The seed of a probe does not depend on which other probes run; fast-check takes signed numbers.
  const { counterexample } = await fc.check(property, { seed: fnv1a(probe.id, seed) | 0, numRuns: runs });
  server.signal.throwIfAborted();
  if (!Array.isArray(counterexample)) {
    if (fault !== undefined) throw fault;
    return { kind: "passed" };
  }
  const [smallest] = counterexample;
  for (const isFresh of [false, true]) {
    const again = await attempt(smallest, isFresh);
    if (again.problems.length > 0 || again.deviation !== undefined) return failure(again);
  }
  return forbidden === undefined ? { kind: "passed" } : failure(forbidden);
}

async function failure({ problems, deviation, trace }: Attempt): Promise<CheckOutcome> {
  if (problems.length > 0 || deviation === undefined) return { kind: "failed", problems, trace: await trace() };
  return { kind: "failed", problems: [deviation.problem], broken: [deviation.rule], shown: [], trace: await trace() };
}

function arbitraryOf(
  fc: FastCheck,
  { change }: Probe,
  operation: ProbedOperation,
): Arbitrary<RandomValues> | undefined {
  if (change.kind === "random-requests") return arbitraryRequests(fc, operation);
  return arbitraryViolations(
    fc,
    operation,
    (parameter) => wrongTexts(operation.document, parameter, undefined).length > 0,
  );
}

/** The case in which to send an invalid value: one that sends the parameter, so that nothing else in the request is wrong. */
function baseFor({ base, change }: Probe, operation: ProbedOperation, random: RandomValues): Probe["base"] {
  const [name] = Object.keys(random);
  if (change.kind === "random-requests" || name === undefined) return base;
  return successWith(operation, { name }) ?? base;
}

function vary(operation: ProbedOperation, wire: WireRequest, random: RandomValues): WireRequest {
  let varied = wire;
  for (const [name, value] of Object.entries(random)) {
    if (value.kind === "omit") varied = withoutParameter(varied, name);
    if (value.kind === "text") varied = withText(operation, varied, name, value.text);
  }
  return varied;
}

async function loadFastCheck(): Promise<FastCheck | undefined> {
  try {
    return await import("fast-check");
  } catch (error) {
    if (missingPackage(error) === undefined) throw error;
    return undefined;
  }
}
