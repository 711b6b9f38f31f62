import type { CheckOutcome, CheckResult } from "../model/check-result.js";

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
