import type { CheckOutcome, CheckResult } from "../model/check-result.js";
import type { ReportedShard } from "../model/json-report.js";

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

/** The outcome of a check that calls operations that the server does not have. */
export function lackingOutcome(operations: readonly string[]): CheckOutcome {
  const reason = `the server does not have ${operations.join(", ")}`;
  return { kind: "skipped", reason, need: { kind: "operation", operations } };
}

/**
 * Whether to report an operation that is only called by the selected checks: if the server does not have it, those are skipped. In a run
 * over several machines, only the part that has the check of the operation reports it.
 */
export function reportsMissing({ kind }: CheckOutcome, shard: ReportedShard | undefined): boolean {
  return kind === "failed" && shard === undefined;
}
