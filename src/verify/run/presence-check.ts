import type { CheckOutcome, CheckResult } from "../../report/model/check-result.js";
import { adviseValues } from "../../report/model/describe.js";
import type { ReportedShard } from "../../report/model/json-report.js";
import type { Presence } from "./presence.js";
import type { PresenceNotes } from "./presence-notes.js";

/** The check that a server has an operation. */
export function presenceCheck(operation: string): Omit<CheckResult, "outcome" | "durationMs"> {
  return {
    id: `operation ${operation}`,
    kind: "operation",
    operation,
    summary: "The server has the operation",
    rules: [],
  };
}

/** The outcome of that check. `hasCallers`: by states or accounts. */
export function presenceOutcome(presence: Presence, hasCallers = true): CheckOutcome {
  switch (presence.kind) {
    case "there":
      return { kind: "passed" };
    case "unknown":
      return unknownOutcome("the operation", [presence], hasCallers);
    case "not-implemented":
      return { kind: "failed", problems: [`not implemented: ${presence.why}`], broken: [], trace: [] };
  }
}

/** The outcome of a check if no request tells whether the server has what `names` names. `hasCallers`: by states or accounts. */
export function unknownOutcome(names: string, found: readonly Presence[], hasCallers: boolean): CheckOutcome {
  const unknown = found.filter((one) => one.kind === "unknown");
  if (unknown.some(({ isRestricted }) => isRestricted)) {
    const reason = `no request that changes nothing tells whether the server has ${names}: give --disposable`;
    return { kind: "skipped", reason, need: { kind: "degree", degree: "everything" } };
  }
  if (unknown.some(({ isUnasked }) => isUnasked)) {
    const reason = `no request that changes nothing tells whether the server has ${names}: give --states`;
    return { kind: "skipped", reason, need: { kind: "states" } };
  }
  const parameters = [...new Set(unknown.flatMap((one) => one.parameters ?? []))];
  if (parameters.length > 0) return withoutValue(parameters);
  const [why] = unknown.flatMap((one) => one.why ?? []);
  if (why !== undefined) return { kind: "skipped", reason: why };
  const reason = `the server answers ${names} like any other path`;
  if (hasCallers) return { kind: "skipped", reason };
  return {
    kind: "skipped",
    reason: `without credentials, ${reason}: give --account or --states`,
    need: { kind: "account" },
  };
}

/** The outcome of a check for which no value of a parameter is known that the server has. */
export function withoutValue(parameters: readonly string[]): Extract<CheckOutcome, { readonly kind: "skipped" }> {
  return { kind: "skipped", reason: adviseValues(parameters), need: { kind: "value", parameters } };
}

/**
 * Reports the operations that only later calls showed to be missing, and skips the checks that call them, whatever they found before.
 * `callsOf` lists the operations that a check calls, by its id.
 */
export function settlePresence(
  checks: readonly CheckResult[],
  notes: PresenceNotes,
  callsOf: (id: string) => readonly string[],
): CheckResult[] {
  return checks.map((check) => {
    const { kind, operation, outcome } = check;
    const found = kind === "operation" ? notes.find(operation) : undefined;
    if (found?.kind === "not-implemented" && outcome.kind !== "failed")
      return { ...check, outcome: presenceOutcome(found) };
    if (kind === "operation" || outcome.kind === "skipped") return check;
    const lacking = callsOf(check.id).filter(notes.lacks);
    return lacking.length === 0 ? check : { ...check, outcome: lackingOutcome(lacking) };
  });
}

/** The outcome of a check that calls operations that the server does not have. */
export function lackingOutcome(operations: readonly string[]): CheckOutcome {
  const reason = `the server does not have ${operations.join(", ")}`;
  return { kind: "skipped", reason, need: { kind: "operation", operations } };
}

/**
 * Whether to report an operation that is only called by the selected checks: if the server does not have it, those are skipped. In a run
 * over several machines, only the part that has the check of the operation reports it.
 */
export function reportsMissing(outcome: CheckOutcome, shard: ReportedShard | undefined): boolean {
  return outcome.kind === "failed" && !outcome.forbidden && shard === undefined;
}
