import type { Arbitrary } from "fast-check";
import { fnv1a } from "../../base/fnv1a.js";
import { missingPackage } from "../../base/missing-package.js";
import type { CallStep, Check, Written } from "../../contract/check.js";
import { literal, literals } from "../../contract/expressions.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import type { CheckOutcome } from "../../report/model/check-result.js";
import { isSafe } from "../http/call-http.js";
import { type CheckRun, needsStates } from "../run/run-steps.js";
import type { SharedRunner } from "../run/shared-lane.js";
import { arbitraryRequests, arbitraryViolations, type FastCheck, type RandomValues } from "./arbitrary-values.js";
import { type CaseContext, caseCheck } from "./case-checks.js";
import type { RandomProbe } from "./parameter-probes.js";
import { wrongValues } from "./parameter-values.js";
import { statesOf } from "./probe.js";

/** How to generate random requests. */
export interface RandomOptions {
  readonly seed: number;
  /** The number of requests of each random probe. */
  readonly runs: number;
  readonly signal: AbortSignal;
}

/** The maximum number of further requests to find a smaller one that also fails. */
export const maxShrinks = 200;

/**
 * Sends random requests until one fails, looks for the smallest that fails, and sends that again. Only a second failure counts, unless the
 * contract forbids some response in every state, or the operation writes and no state is set up, so that it would be sent to the same
 * state again. The same seed gives the same requests. Skipped if the package `fast-check` is not
 * installed.
 */
export async function runRandomProbe(
  probe: RandomProbe,
  operation: ProbedOperation,
  context: CaseContext,
  runner: SharedRunner,
  { seed, runs, signal }: RandomOptions,
): Promise<CheckRun> {
  const fc = await loadFastCheck();
  if (fc === undefined) return skipped("it needs fast-check. Install it with: npm install --save-dev fast-check");
  const values = arbitraryOf(fc, probe, operation);
  if (values === undefined) return skipped("it has nothing to vary");

  const attempt = (random: RandomValues, where: "shared" | "fresh") =>
    runner.attempt(vary(probe, random, context), where);

  let sent = 0;
  let other: CheckRun | undefined;
  let forbidden: CheckOutcome | undefined;
  let smallestRun = undefined as CheckRun | undefined;
  const property = fc.asyncProperty(values, async (random) => {
    if (other !== undefined || signal.aborted || sent >= runs + maxShrinks) return true;
    sent++;
    const run = await attempt(random, "shared");
    const { outcome } = run;
    // Each failing request is smaller than the one before.
    if (outcome.kind === "failed") smallestRun = run;
    if (outcome.kind === "failed" && outcome.forbidden) forbidden = outcome;
    // A request that could not be sent is not a finding, so stop without shrinking.
    if (outcome.kind === "errored" || outcome.kind === "skipped") other = run;
    return outcome.kind !== "failed";
  });
  // The seed of a probe does not depend on which other probes run; fast-check takes signed numbers.
  const { counterexample } = await fc.check(property, { seed: fnv1a(probe.id, seed) | 0, numRuns: runs });
  signal.throwIfAborted();
  if (!Array.isArray(counterexample)) return other ?? { outcome: { kind: "passed" }, isAnswered: true };
  const [smallest] = counterexample;
  const hasStates = needsStates(vary(probe, smallest, context));
  if (!isSafe(operation.method) && !hasStates && smallestRun !== undefined) return smallestRun;
  for (const where of ["shared", "fresh"] as const) {
    const again = await attempt(smallest, where);
    if (again.outcome.kind === "failed" || again.lost !== undefined) return again;
  }
  return { outcome: forbidden ?? { kind: "passed" }, isAnswered: true };
}

function skipped(reason: string): CheckRun {
  return { outcome: { kind: "skipped", reason }, isAnswered: true };
}

function arbitraryOf(
  fc: FastCheck,
  { varies }: RandomProbe,
  operation: ProbedOperation,
): Arbitrary<RandomValues> | undefined {
  if (varies === "requests") return arbitraryRequests(fc, operation);
  return arbitraryViolations(fc, operation, (parameter) => wrongValues(operation.document, parameter).length > 0);
}

/** The check that sends random values. An invalid value is sent in a case that sends the parameter, so that nothing else is wrong. */
function vary({ varies, baseWith, ...probe }: RandomProbe, random: RandomValues, context: CaseContext): Check {
  const [name] = Object.keys(random);
  const base = caseCheck(baseWith(varies === "violations" ? name : undefined), context);
  const call = base.steps.find((step): step is CallStep => step.kind === "call" && step.readBack === undefined);
  const judged = probe.steps.at(-1) as CallStep;
  const values: Record<string, unknown> = { ...call?.with };
  const written: Record<string, Written> = {};
  for (const [parameter, value] of Object.entries(random)) {
    if (value.kind === "value") values[parameter] = literals(value.value);
    if (value.kind === "text") values[parameter] = literal(value.text);
    if (value.kind === "text" || value.kind === "omit") written[parameter] = value.kind === "text" ? "text" : "omitted";
  }
  const step = { ...judged, ...call, with: values, written };
  const { expect, rules = [] } = judged;
  return { ...probe, steps: [...statesOf(base), { ...step, expect, rules }] };
}

async function loadFastCheck(): Promise<FastCheck | undefined> {
  try {
    return await import("fast-check");
  } catch (error) {
    if (missingPackage(error) === undefined) throw error;
    return undefined;
  }
}
