import type { ReportedOperation } from "../../report/model/verify-report.js";
import { type CheckToRun, calledOperations } from "../create-selection.js";
import type { Presence } from "./presence.js";
import type { PresenceNotes } from "./presence-notes.js";

/** What the report says of operations: those whose presence is known, with the checks that call them. */
export function reportedOperations(
  operations: readonly Pick<ReportedOperation, "id" | "title" | "rules">[],
  presence: ReadonlyMap<string, Presence>,
  checks: readonly CheckToRun[],
  { hasSucceeded }: Pick<PresenceNotes, "hasSucceeded">,
): ReportedOperation[] {
  const callers = new Map<string, string[]>(operations.map(({ id }) => [id, []]));
  for (const check of checks)
    for (const id of new Set(calledOperations(check).map((called) => called.id))) callers.get(id)?.push(check.id);
  return operations.flatMap(({ id, title, rules }) => {
    const found = presence.get(id);
    if (found === undefined) return [];
    return {
      ...{ id, title, presence: found.kind },
      ...(found.kind === "not-implemented" ? { why: found.why } : {}),
      succeeded: hasSucceeded(id),
      checks: callers.get(id) ?? [],
      rules,
    };
  });
}

/** Joins the operations of several runs: each once, with all its checks. What one run knows of its presence holds for all. */
export function joinOperations(runs: readonly (readonly ReportedOperation[])[]): ReportedOperation[] {
  const joined = new Map<string, ReportedOperation>();
  for (const operation of runs.flat()) {
    const known = joined.get(operation.id);
    const facts = known === undefined || certainty[operation.presence] > certainty[known.presence] ? operation : known;
    joined.set(operation.id, {
      ...facts,
      ...(known?.succeeded || operation.succeeded ? { succeeded: true } : {}),
      checks: [...(known?.checks ?? []), ...operation.checks],
    });
  }
  return [...joined.values()];
}

const certainty: Readonly<Record<ReportedOperation["presence"], number>> = {
  unknown: 0,
  there: 1,
  "not-implemented": 2,
};
