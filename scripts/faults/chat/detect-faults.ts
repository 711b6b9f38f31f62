import type { CheckResult } from "../../../src/report/model/check-result.js";
import { runAll } from "../../../src/verify/run-all.js";
import { byCheck } from "./by-check.js";
import { combine } from "./combine.js";
import type { ChatFault } from "./fault.js";
import { type Outcome, outcomeIn } from "./outcome.js";
import { listChecks, planRounds, planSharedRounds } from "./plan-rounds.js";
import { verifyBehaviour } from "./verify-behaviour.js";

/** The number of concurrent rounds. */
const concurrency = 3;

/**
 * Verifies a reference server with each fault by the checks of the fault, several faults in one verification. Returns the checks of each
 * fault. `progress` is called with the faults whose verification has ended.
 */
export async function detectFaults(
  faults: readonly ChatFault[],
  reference: { readonly url: string },
  progress: (done: readonly ChatFault[]) => void = () => {},
): Promise<ReadonlyMap<ChatFault, readonly CheckResult[]>> {
  const seen = new Map<ChatFault, readonly CheckResult[]>();
  const all = await listChecks();
  await runAll(planSharedRounds(faults, all), concurrency, async (round) => {
    const only = round.flatMap(({ checks }) => checks);
    const behaviour = byCheck(round.map(({ fault, checks }) => ({ checks, behaviour: fault.behaviour })));
    const results = await verifyBehaviour(behaviour, reference, { only });
    const noticed = round.flatMap(({ fault, checks }) => {
      const own = results.filter(({ id }) => checks.includes(id));
      if (!isNoticed(fault, outcomeIn(own))) return [];
      seen.set(fault, own);
      return [fault];
    });
    progress(noticed);
  });
  // A fault that needs another check beside it, or requests without credentials, is verified with others that cannot disturb it.
  const rest = faults.filter((fault) => !seen.has(fault));
  await runAll(planRounds(rest, all), concurrency, async (round) => {
    const behaviour = combine(round.map((fault) => fault.behaviour));
    const only = round.flatMap(({ checkedBy }) => checkedBy);
    const checks = await verifyBehaviour(behaviour, reference, { only });
    for (const fault of round) seen.set(fault, checks);
    progress(round);
  });
  return seen;
}

function isNoticed(fault: ChatFault, { failed, deviated, broken, errored }: Outcome): boolean {
  return errored.length === 0 && failed.length + deviated.length > 0 && fault.breaks.some((rule) => broken.has(rule));
}
