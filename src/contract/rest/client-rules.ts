import type { ContractDocument, OperationObject } from "./document.js";
import { featureLevelOf, isPresent } from "./feature-level.js";
import { listOperations } from "./operations.js";
import { holdsAt, type Rule } from "./rule.js";
import { listAllRules } from "./rules.js";

/** A rule that clients keep or break. */
export type ClientRule = Rule & { readonly party: "client" };

/** Whether a rule is about clients. */
export function isClientRule(rule: Rule): rule is ClientRule {
  return rule.party === "client";
}

/** Lists the rules of clients, starting with those that are not specific to one operation. */
export function listClientRules(document: ContractDocument): ClientRule[] {
  return listAllRules(document).filter(isClientRule);
}

/** Lists the rules of clients that hold for a server of a level. */
export function listClientRulesAt(document: ContractDocument, level: number): ClientRule[] {
  const rulesOf = (holder: ContractDocument | OperationObject) => (holder["x-rules"] ?? []).filter(isClientRule);
  const operations = listOperations(document).filter(({ operation }) => isPresent(featureLevelOf(operation), level));
  return [document, ...operations.map(({ operation }) => operation)]
    .flatMap(rulesOf)
    .filter((rule) => holdsAt(rule, level));
}
