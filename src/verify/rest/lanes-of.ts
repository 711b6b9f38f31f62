import type { Check } from "../../contract/check.js";
import { probeLanes } from "../derive/probe-lanes.js";
import type { RandomOptions } from "../derive/random-check.js";
import { type AccountPlan, adapted, whyNotWithAccounts } from "../run/account-plan.js";
import type { Gate } from "../run/gate.js";
import type { Effect } from "../run/permission.js";
import type { PresenceNotes } from "../run/presence-notes.js";
import { withRemovals } from "../run/removals.js";
import { runCode } from "../run/run-code.js";
import { type Lane, toRunnable } from "../run/run-lanes.js";
import type { Session } from "../run/session.js";
import { skipInVain } from "../run/skip-in-vain.js";
import type { ContractAtLevel } from "./contract-at-level.js";
import type { SelectedChecks } from "./select-checks.js";

/** What the checks of a run need. */
export interface LaneOptions {
  readonly contract: ContractAtLevel;
  /** What a real organization can bear. Undefined with provider states or without callers. */
  readonly plan: AccountPlan | undefined;
  /** Which operations the server has. */
  readonly notes: PresenceNotes;
  readonly gate: Gate;
  /** Whether there are callers, by provider states or accounts. */
  readonly hasCallers: boolean;
  readonly createSession: (id: string) => Session;
  /** How often the server may have been restarted. */
  readonly restarts: () => number;
  readonly random: RandomOptions;
  readonly code: Parameters<typeof runCode>[2];
}

/** The selected checks that have their turn in a part of a run. Checks in code, which set up states, begin it. */
export function checksAt(selected: SelectedChecks, effect: Effect, gate: Gate): SelectedChecks {
  const isNow = (check: Check) => gate.effectOfCheck(check) === effect;
  return {
    ...selected,
    checks: selected.checks.filter(isNow),
    probes: selected.probes.filter(isNow),
    codeChecks: effect === 0 ? selected.codeChecks : [],
  };
}

/**
 * Puts the selected checks into lanes. A check that may not be sent, whose operations the server lacks, or whose callers are missing, is
 * skipped in its lane.
 */
export function lanesOf(selected: SelectedChecks, options: LaneOptions): Lane[] {
  const { contract, gate, plan, createSession, restarts, random, code } = options;
  const { operations, context } = contract;
  const probes = selected.probes.map((probe) => adapted(probe, plan));
  const lanes: Lane[] = [
    ...probeLanes(probes, { operations, context, random }, createSession, restarts),
    ...selected.codeChecks.map((check): Lane => {
      const { calls: _, ...about } = check;
      return [{ ...about, kind: "workflow", run: () => runCode(check, createSession(check.id), code) }];
    }),
    ...selected.checks.map(
      (check): Lane => [toRunnable(gate.hasStates ? check : withRemovals(check, operations), createSession)],
    ),
  ];
  const { callsOf, planned } = selected;
  const skipping = { ...options, callsOf, planned, skipsUnknown: true };
  return lanes.map((lane) => lane.map((runnable) => skipInVain(runnable, skipping)));
}

/** The selected checks that are sent, as they run. */
export function sentChecks(
  { checks, probes }: SelectedChecks,
  { plan, gate }: Pick<LaneOptions, "plan" | "gate">,
): Check[] {
  return [...checks, ...probes.map((probe) => adapted(probe, plan))].filter(
    (check) => gate.withheld(check.id, check) === undefined && (!plan || whyNotWithAccounts(check, plan) === undefined),
  );
}
