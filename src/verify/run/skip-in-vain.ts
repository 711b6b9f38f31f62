import type { CheckOutcome } from "../../report/model/check-result.js";
import { type AccountPlan, adapted, whyNotWithAccounts } from "./account-plan.js";
import type { Gate } from "./gate.js";
import type { Planned } from "./planned.js";
import { lackingOutcome, unknownOutcome } from "./presence-check.js";
import type { PresenceNotes } from "./presence-notes.js";
import type { Runnable } from "./run-lanes.js";
import { type CheckRun, needsStatesReason } from "./run-steps.js";

/** What decides whether a check is worth sending. */
export interface SkipOptions {
  /** Which operations the server has. */
  readonly notes: PresenceNotes;
  readonly gate: Pick<Gate, "withheld">;
  /** The operations that a check calls, by its id. */
  readonly callsOf: (id: string) => readonly string[];
  /** The checks that have steps, by their ids. */
  readonly planned: Planned;
  /** What a real organization can bear. Undefined without accounts. */
  readonly plan?: AccountPlan;
  /** Whether there are callers, by provider states or accounts. Defaults to true. */
  readonly hasCallers?: boolean;
  /** Whether a check is skipped if it is unknown whether the server has its operations. Defaults to false. */
  readonly skipsUnknown?: boolean;
}

/** The same check, skipped in its turn if it may not be sent, if the server lacks one of its operations, or if a caller is missing. */
export function skipInVain(runnable: Runnable, options: SkipOptions): Runnable {
  const { notes, plan, gate, hasCallers = true, skipsUnknown = false, callsOf, planned } = options;
  const calls = callsOf(runnable.id);
  const check = planned.get(runnable.id);
  const own = check && adapted(check, plan);
  const needed = plan && (own === undefined ? needsStatesReason : whyNotWithAccounts(own, plan));
  const withheld = gate.withheld(runnable.id, own);
  const isExcluded = withheld?.kind === "skipped" && withheld.need?.kind === "exclusion";
  const unknown = skipsUnknown ? calls.filter((id) => notes.find(id)?.kind === "unknown") : [];
  const skip = (): CheckOutcome | undefined => {
    if (isExcluded) return withheld;
    const lacking = calls.filter(notes.lacks);
    if (lacking.length > 0) return lackingOutcome(lacking);
    if (needed !== undefined)
      return { kind: "skipped", reason: needed, need: needed === needsStatesReason ? { kind: "states" } : undefined };
    if (withheld !== undefined || unknown.length === 0) return withheld;
    const found = unknown.flatMap((id) => notes.find(id) ?? []);
    return unknownOutcome(unknown.join(", "), found, hasCallers);
  };
  const run = async (): Promise<CheckRun> => {
    const before = skip();
    if (before !== undefined) return { outcome: before, isAnswered: true };
    const done = await runnable.run();
    const lacking = calls.filter(notes.lacks);
    return lacking.length === 0 ? done : { ...done, outcome: lackingOutcome(lacking) };
  };
  return { ...runnable, run };
}
