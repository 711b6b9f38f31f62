import type { ContractDocument } from "../../../contract/chat/document.js";
import type { Check } from "../../check.js";
import type { ReportedRule } from "../../verify-report.js";
import type { DecodedExchange, Finding } from "./traffic.js";

/** Judges sequences of exchanges by the rules of clients. */
export interface ClientRuleJudge {
  readonly rules: readonly ReportedRule[];
  readonly observe: (exchange: DecodedExchange) => readonly Finding[];
  /** A passed check for each rule that the traffic has shown. */
  readonly checks: () => Check[];
}

/** Creates the judge of the rules of clients. */
export function clientRuleJudge(_contract: ContractDocument, _level: number): ClientRuleJudge {
  return { rules: [], observe: () => [], checks: () => [] };
}
