import type { JsonCheck, JsonRule } from "./json-report.js";

/** Something that a reader of a report should know, and the checks that found it. */
export interface Finding {
  readonly tag: FindingTag;
  /** The id of a rule or check, an operation, these with the number of others of the same cause, or the reason why checks are known to fail. */
  readonly title: string;
  /** What is wrong, in sentences. */
  readonly sentences: readonly string[];
  /** The broken rule, or the recommendation that is not followed. */
  readonly rule?: JsonRule;
  /** Empty for a known-failing entry that matches no check. */
  readonly checks: readonly JsonCheck[];
}

/** `FAIL` and `DEVIATES` are about a rule, or about an operation with failures that break no rule. */
export type FindingTag = "FAIL" | "DEVIATES" | "OUT OF DATE" | "COULD NOT RUN" | "KNOWN TO FAIL";
