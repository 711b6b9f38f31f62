import { groupBy } from "../../text/group-by.js";
import { isStateNeed, isWithheld } from "./check-result.js";
import type { JsonCheck, JsonOperation, JsonReport, JsonRule } from "./json-report.js";
import { type OperationState, operationStates } from "./verdict.js";
import type { VerifyReport } from "./verify-report.js";

/** Judges each operation by the rules that are about it and by the checks that call it. Without a success, none is done. */
export function judgeOperations(
  { operations }: VerifyReport,
  rules: readonly JsonRule[],
  checks: readonly JsonCheck[],
): JsonOperation[] | undefined {
  if (operations === undefined) return undefined;
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const failing = new Set(checks.filter(hasFailed).flatMap((check) => blamedFor(check, operations)));
  return operations.map((operation) => {
    // A rule that no check of the run can show says nothing.
    const own = operation.rules
      .flatMap((id) => byId.get(id) ?? [])
      .filter(({ state, checks: ofRule }) => state !== "untestable" && ofRule.length > 0);
    const kept = own.filter(({ state }) => state === "kept").length;
    const exercised = own.filter(({ state }) => state !== "not-exercised").length;
    const run = checks.filter((check) => check.kind !== "operation" && check.operation === operation.id);
    const hasRun = run.some(({ verdict }) => verdict !== "skipped" && verdict !== "errored");
    const needsStates = exercised === 0 && run.some(({ need }) => isStateNeed(need));
    const isCutOff = exercised === 0 && run.some(({ need }) => need?.kind === "server");
    const state = (): OperationState => {
      if (operation.presence === "not-implemented") return "not-implemented";
      if (failing.has(operation.id)) return "failing";
      if (exercised === 0 && run.length > 0 && run.every(({ need }) => isWithheld(need))) return "not-sent";
      if (operation.presence === "unknown" || isCutOff) return "unknown";
      if (needsStates) return "needs-states";
      return hasRun && exercised === own.length && operation.succeeded !== false ? "done" : "partial";
    };
    return { ...operation, state: state(), kept, exercised, all: own.length };
  });
}

function hasFailed(check: JsonCheck): boolean {
  return !saysMissing(check) && (check.verdict === "failed" || check.verdict === "expected");
}

/** Whether a check found that the server does not have its operation. If the response was wrong, the operation is there. */
export function saysMissing({ kind, outcome, forbidden }: JsonCheck): boolean {
  return kind === "operation" && outcome === "failed" && forbidden === undefined;
}

/** The operations that a failure is about: that of the check, else those whose rules it broke, else all that it calls. */
function blamedFor(
  { id, operation, broken = [] }: JsonCheck,
  operations: NonNullable<VerifyReport["operations"]>,
): string[] {
  const called = operations.filter(({ checks }) => checks.includes(id));
  const owners = called.filter(({ rules }) => rules.some((rule) => broken.includes(rule)));
  if (operations.some((one) => one.id === operation)) return [operation, ...owners.map((one) => one.id)];
  return (owners.length > 0 ? owners : called).map((one) => one.id);
}

/**
 * The operations that the table shows, in its order: those that the server lacks, and those that a check of the run is about. Others are
 * only called on the way.
 */
export function tabledOperations({
  operations = [],
  checks,
}: Pick<JsonReport, "operations" | "checks">): JsonOperation[] {
  const about = new Set(checks.flatMap(({ kind, operation }) => (kind === "operation" ? [] : operation)));
  const shown = operations.filter(
    ({ id, all, presence }) => all > 0 || presence === "not-implemented" || about.has(id),
  );
  const byState = groupBy(shown, ({ state }) => state);
  return Object.keys(operationStates).flatMap((state) => byState.get(state) ?? []);
}
