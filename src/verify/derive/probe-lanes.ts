import { callsOf } from "../../contract/calls.js";
import type { Check } from "../../contract/check.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { isRead } from "../run/permission.js";
import type { Lane, Runnable } from "../run/run-lanes.js";
import type { Session } from "../run/session.js";
import { createSharedRunner } from "../run/shared-lane.js";
import type { CaseContext } from "./case-checks.js";
import { isRandom } from "./list-probes.js";
import type { RandomProbe } from "./parameter-probes.js";
import { statesOf } from "./probe.js";
import { type RandomOptions, runRandomProbe } from "./random-check.js";

/** The contract of probes. */
export interface ProbedContract {
  readonly operations: ReadonlyMap<string, ProbedOperation>;
  readonly context: CaseContext;
  readonly random: RandomOptions;
}

/** The maximum number of probes without states in one lane. */
const maxInLane = 30;

/** Groups probes into lanes that share their organizations, the longest first, so that no long lane starts last. */
export function probeLanes(
  probes: readonly (Check | RandomProbe)[],
  { operations, context, random }: ProbedContract,
  createSession: (check: string) => Session,
  restarts?: () => number,
): Lane[] {
  const isReading = (check: Check) => callsOf(check).every((call) => isRead(call, operations));
  const lanes = new Map<string, (Check | RandomProbe)[]>();
  let stateless = 0;
  for (const probe of probes) {
    const states = statesOf(probe);
    // Random probes change their organization, so each has its own.
    const shared =
      states.length === 0 ? `stateless ${Math.floor(stateless++ / maxInLane)}` : JSON.stringify(states.filter(isOwn));
    const key = isRandom(probe) ? probe.id : shared;
    lanes.set(key, [...(lanes.get(key) ?? []), probe]);
  }
  return [...lanes.values()]
    .sort((a, b) => b.length - a.length)
    .map((lane) => {
      const runner = createSharedRunner(createSession, restarts, isReading);
      return lane.map((probe): Runnable => {
        const { steps: _, shares: __, control: ___, ...about } = probe;
        const operation = operations.get(probe.operation);
        if (!isRandom(probe) || operation === undefined) return { ...about, run: () => runner.run(probe) };
        return { ...about, run: () => runRandomProbe(probe, operation, context, runner, random) };
      });
    });
}

function isOwn({ fresh, within }: { readonly fresh?: true; readonly within?: string }): boolean {
  return fresh === undefined && within === undefined;
}
