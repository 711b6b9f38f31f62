import type { Strength } from "../../contract/strength.js";
import type { ReportedRule } from "../model/verify-report.js";
import type { Finding } from "./traffic.js";

/** A rule about any request or response, beside those that the contract states for an operation. */
export type TrafficRule = ReportedRule & { readonly strength: Strength };

/** Defines a rule. */
export function trafficRule(id: string, strength: Strength, text: string): TrafficRule {
  const [resource = id] = id.split(".", 1);
  return { id, strength, text, resource };
}

/** Makes a finding about a rule. */
export function findingOf(
  party: Finding["party"],
  { id, strength = "must" }: Pick<ReportedRule, "id" | "strength">,
  problem: string,
  subject?: string,
): Finding {
  return { party, rule: id, strength, problem, ...(subject === undefined ? {} : { subject }) };
}
