import type { RuleState } from "../verify-report.js";
import type { JudgedRule } from "./judge-rules.js";

/** Every state of a rule, in the order of the columns of a table, with its name for people. */
export const ruleStates = {
  kept: "kept",
  broken: "broken",
  "not-exercised": "not exercised",
  untestable: "untestable",
} as const satisfies Record<RuleState, string>;

/** How many rules have each state. */
export function countStates(rules: readonly JudgedRule[]): Record<RuleState, number> {
  const counts = { kept: 0, broken: 0, "not-exercised": 0, untestable: 0 };
  for (const { state } of rules) counts[state]++;
  return counts;
}
