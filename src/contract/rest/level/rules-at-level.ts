import { isClientRule } from "../client-rules.js";
import type { ContractDocument } from "../document.js";
import { featureLevelOf } from "../feature-level.js";
import { listOperations } from "../operations.js";
import type { Rule } from "../rule.js";

/**
 * Lists the rules of servers as of a level, with the strength that they have for a server of this level. The requirements promise
 * such a server only the features from before the level, so rules that begin to hold at the level itself are recommendations.
 */
export function rulesAtLevel(contract: ContractDocument, level: number): Rule[] {
  const rate = (rules: readonly Rule[] = [], added = 0): Rule[] =>
    rules
      .filter((rule) => !isClientRule(rule))
      .map((rule) =>
        level > 0 && Math.max(rule.since ?? 0, added) === level ? { ...rule, strength: "should" } : rule,
      );
  return [
    ...rate(contract["x-rules"]),
    ...listOperations(contract).flatMap(({ operation }) =>
      rate(operation["x-rules"], featureLevelOf(operation)?.added),
    ),
  ];
}
