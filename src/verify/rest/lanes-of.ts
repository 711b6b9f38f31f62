import type { Check } from "../../contract/check.js";
import { baseState } from "../../contract/rest/states.js";
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

/**
 * Puts the selected checks that have their turn in a part of a run into lanes, one after another. Checks in code, which set up states, begin
 * it. A check that may not be sent, whose operations the server lacks, or whose callers are missing, is skipped in its lane.
 */
export function* lanesOf(selected: SelectedChecks, effect: Effect, options: LaneOptions): Generator<Lane> {
  const { contract, gate, plan, createSession, restarts, random, code } = options;
  const { operations, context } = contract;
  const { callsOf, planned, checks, codeChecks, probed, probesOf } = selected;
  const skipping = { ...options, callsOf, planned, skipsUnknown: true };
  const ready = (lane: Lane) => lane.map((runnable) => skipInVain(runnable, skipping));
  const isNow = (check: Check) => gate.effectOfCheck(check) === effect;
  // Probes from the same states share their organizations, whatever they call.
  const groups = baseState(context.catalogue) !== undefined ? [probed] : probed.map((id) => [id]);
  for (const group of groups) {
    const probes = group.flatMap((id) => probesOf(id).filter(isNow)).map((probe) => adapted(probe, plan));
    for (const lane of probeLanes(probes, { operations, context, random }, createSession, restarts)) yield ready(lane);
  }
  for (const { calls: _, ...about } of effect === 0 ? codeChecks : []) {
    const run = () => runCode(about, createSession(about.id), code);
    yield ready([{ ...about, kind: "workflow", run }]);
  }
  for (const check of checks.filter(isNow))
    yield ready([toRunnable(gate.hasStates ? check : withRemovals(check, operations), createSession)]);
}

/** The checks that are sent, as they run. */
export function* sentChecks(
  checks: Iterable<Check>,
  { plan, gate }: Pick<LaneOptions, "plan" | "gate">,
): Generator<Check> {
  for (const given of checks) {
    const check = given.kind === "probe" ? adapted(given, plan) : given;
    const isSent = gate.withheld(check.id, check) === undefined;
    if (isSent && (!plan || whyNotWithAccounts(check, plan) === undefined)) yield check;
  }
}
