import type { Strength } from "../contract/strength.js";
import type { Check } from "./check.js";
import type { Coverage } from "./coverage.js";

/** A rule of the contract, as reports show it. */
export interface ReportedRule {
  readonly id: string;
  /** The rule as a sentence. */
  readonly text: string;
  /** Where the requirements state it, such as `Edit a message, rule 3`. */
  readonly source?: string;
  /** Whether the requirements state it, or the contract recommends it where they are silent. Defaults to `must`. */
  readonly strength?: Strength;
  /** The first part of its id, such as `messages`. */
  readonly resource: string;
  /** Why no check can show the rule. */
  readonly untestable?: string;
}

/** The result of a verification of a server, or of the judgement on the traffic of a client. */
export interface VerifyReport {
  readonly contract: string;
  /** The version of the contract. */
  readonly version: string;
  /** The version of this package. Undefined in reports of versions before 0.3. */
  readonly packageVersion?: string;
  /** The URL or address of the server. */
  readonly target: string;
  /** The feature level whose contract was applied. */
  readonly level?: number;
  /** The seed of random requests or strains. Undefined if the run has neither. */
  readonly seed?: number;
  /** The version that the server reports. Undefined if it reports none. */
  readonly serverVersion?: string;
  /** The roles of the accounts of a real organization that replaced provider states. Undefined if there were none. */
  readonly accounts?: readonly string[];
  /** The part of a run over several machines. */
  readonly shard?: ReportedShard;
  /** The operations that the checks of the run call. Undefined in traffic, and in reports of versions before 0.3. */
  readonly operations?: readonly ReportedOperation[];
  /** Checks that `--operation` does not select because they call other operations as well. */
  readonly beyond?: ReportedBeyond;
  /** What the handler of a provider state must return, for each state that skipped checks need. */
  readonly stateHelp?: ReadonlyMap<string, string>;
  /** The rules of this level. */
  readonly rules: readonly ReportedRule[];
  readonly checks: readonly Check[];
  /** The ids of all checks of the contract, run or not. Undefined if unknown. */
  readonly existing?: ReadonlySet<string>;
  /** Checks that are known to fail, with the reason. They still run. */
  readonly knownFailing: ReadonlyMap<string, string>;
  /** Whether a recommendation that the server does not follow counts as broken. Defaults to false. */
  readonly strict?: boolean;
  /** Whether only some checks ran, so that a known-failing check may exist although it is not in `checks`. Defaults to false. */
  readonly partial?: boolean;
  /** Whether the run was stopped early, so that it gives no verdict on the server. Defaults to false. */
  readonly stopped?: boolean;
  /** The minimum share of exercised rules for a verdict, in percent. Defaults to 50. */
  readonly minExercised?: number;
  /** The coverage of the traffic of a client. Undefined for the verification of a server. */
  readonly coverage?: Coverage;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** The part of `durationMs` in which checks only waited for a time limit of the server. Undefined if unknown. */
  readonly waitedMs?: number;
}

/** An operation of the contract, as reports show it. */
export interface ReportedOperation {
  /** An `operationId` or `<service>/<method>`. */
  readonly id: string;
  /** Such as `PATCH /messages/{message_id}`. */
  readonly title: string;
  /** Whether the server has it; `unknown` if no request tells. */
  readonly presence: "there" | "not-implemented" | "unknown";
  /** How the server says that it does not have it, such as `status 501`. */
  readonly why?: string;
  /** The checks that call it. */
  readonly checks: readonly string[];
  /** The rules that are about it alone. */
  readonly rules: readonly string[];
}

/** Checks that call the selected operations and others. */
export interface ReportedBeyond {
  /** How many there are. */
  readonly checks: number;
  /** The ids of the other operations, that of the most checks first. */
  readonly operations: readonly string[];
}

/** One of several disjoint parts of a run, as its report describes it. */
export interface ReportedShard {
  /** Starts at 1. */
  readonly index: number;
  readonly of: number;
  /** The number of checks of all shards together. */
  readonly checks: number;
  /** Whether only some checks of the contract are in any of the shards. */
  readonly restricted: boolean;
}

/** The state of a rule after a run. `deviating` is a recommendation that the server does not follow. */
export type RuleState = "kept" | "broken" | "deviating" | "not-exercised" | "untestable";

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
    ...(source === undefined ? {} : { source }),
    ...(strength === undefined ? {} : { strength }),
    resource,
    ...(untestable === undefined ? {} : { untestable }),
  };
}
