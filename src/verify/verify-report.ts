import type { Check } from "./check.js";

/** A rule of the contract, as a report needs it. */
export interface ReportedRule {
  readonly id: string;
  /** One statement of the requirements, in the words of the contract. */
  readonly text: string;
  /** Where the requirements state it, such as `Edit a message, rule 3`. */
  readonly source?: string;
  /** What the rule is about, such as `messages`: the first part of its id. */
  readonly resource: string;
  /** Why no call can show the rule. */
  readonly untestable?: string;
}

/** Everything that a verification found out. */
export interface VerifyReport {
  readonly contract: "chat" | "daemon";
  /** The version of the contract. */
  readonly version: string;
  /** Where the server is. */
  readonly target: string;
  /** The feature level whose contract was applied. */
  readonly level?: number;
  /** With it, the same random requests are made again. Left out for the daemon, which gets none. */
  readonly seed?: number;
  /** The rules that hold at this level. */
  readonly rules: readonly ReportedRule[];
  readonly checks: readonly Check[];
  /** The ids of all checks that there are, run or not. Left out when that is not known. */
  readonly existing?: ReadonlySet<string>;
  /** Checks that are known to fail, with the reason. They run all the same. */
  readonly knownFailing: ReadonlyMap<string, string>;
  /** Whether only some checks were run, so that a known-failing one that is missing may exist all the same. Left out: no. */
  readonly partial?: boolean;
  /** Whether whoever ran it ended it before all was done, so that it is no verdict on the server. Left out: no. */
  readonly stopped?: boolean;
  /** The share of rules, in percent, that has to be exercised for a verdict. Left out: the default. */
  readonly minExercised?: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
}

/** What is known of a rule after a run. */
export type RuleState = "kept" | "broken" | "not-exercised" | "untestable";

/** Reduces a rule of the contract to the parts that reports need. */
export function toReportedRule({ id, text, source, untestable }: Omit<ReportedRule, "resource">): ReportedRule {
  const [resource = id] = id.split(".", 1);
  return {
    id,
    text,
    ...(source === undefined ? {} : { source }),
    resource,
    ...(untestable === undefined ? {} : { untestable }),
  };
}
