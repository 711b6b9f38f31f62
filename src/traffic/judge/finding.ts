import type { Strength } from "../../contract/strength.js";
import type { ReportedRule } from "../../report/model/verify-report.js";

/** Something that a request or response does, which its contract forbids or advises against. */
export interface TrafficFinding {
  readonly party: "client" | "server";
  /** The broken rule. Undefined for a violation of a schema. */
  readonly rule?: string;
  /** `should` for recommendations, deprecated features and the like. */
  readonly strength: "must" | "should";
  /** The subject within the rule and the operation, such as the name of a parameter. Findings are grouped by it. */
  readonly subject?: string;
  /** The problem and the expectation in a sentence, with secrets masked. */
  readonly problem: string;
}

/** The judgement on a request or a response. */
export interface TrafficJudgement {
  readonly findings: readonly TrafficFinding[];
  /** The rules that it could have broken. */
  readonly shown: readonly string[];
  /** Why it was not judged as a whole, as a phrase. */
  readonly unread?: string;
}

/** A rule about any request or response, beside those that the contract states for an operation. */
export type TrafficRule = ReportedRule & { readonly strength: Strength };

/** Defines a rule. */
export function trafficRule(id: string, strength: Strength, text: string): TrafficRule {
  const [resource = id] = id.split(".", 1);
  return { id, strength, text, resource };
}

/** Makes a finding about a rule. */
export function trafficFindingOf(
  party: TrafficFinding["party"],
  { id, strength = "must" }: Pick<ReportedRule, "id" | "strength">,
  problem: string,
  subject?: string,
): TrafficFinding {
  return { party, rule: id, strength, problem, subject };
}
