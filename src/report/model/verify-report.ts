import type { CheckResult } from "./check-result.js";
import type { JsonOperation, JsonReport, JsonRule } from "./json-report.js";

/** A rule of the contract, as reports show it. Its strength defaults to `must`. */
export type ReportedRule = Omit<JsonRule, "strength" | "state" | "reason" | "checks"> &
  Partial<Pick<JsonRule, "strength">>;

/** An operation of the contract, as reports show it. */
export type ReportedOperation = Omit<JsonOperation, "state" | "kept" | "exercised" | "all">;

/** The members of a JSON report that follow from the others. */
type Judged = "format" | "exitCode" | "verdict" | "totals" | "exercise" | "needs" | "stale";

/** Flags that default to false. */
type Flags = "strict" | "partial" | "stopped";

/** The result of a verification of a server, or of the judgement on the traffic of a client. */
export interface VerifyReport
  extends Omit<JsonReport, Judged | Flags | "rules" | "operations" | "checks">,
    Partial<Pick<JsonReport, Flags>> {
  /** The operations that the checks of the run call. Undefined in traffic, and in reports of versions before 0.3. */
  readonly operations?: readonly ReportedOperation[];
  /** What the handler of a provider state must return, for each state that skipped checks need. */
  readonly stateHelp?: ReadonlyMap<string, string>;
  readonly rules: readonly ReportedRule[];
  readonly checks: readonly CheckResult[];
  /** The ids of all checks of the contract, run or not. Undefined if unknown. */
  readonly existing?: ReadonlySet<string>;
  /** Checks that are known to fail, with the reason. They still run. */
  readonly knownFailing: ReadonlyMap<string, string>;
  /** The minimum share of exercised rules for a verdict, in percent. Defaults to 50. */
  readonly minExercised?: number;
}

/** Reduces a rule of the contract to the parts that reports need. */
export function toReportedRule({
  id,
  text,
  source,
  strength,
  untestable,
}: Omit<ReportedRule, "resource">): ReportedRule {
  const [resource = id] = id.split(".", 1);
  return {
    id,
    text,
    source,
    strength,
    resource,
    untestable,
  };
}
