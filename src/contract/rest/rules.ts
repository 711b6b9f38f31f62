import type { ContractDocument } from "./document.js";
import { listOperations } from "./operations.js";
import type { Rule } from "./rule.js";

/** Lists the rules of servers, starting with those that are not specific to one operation. */
export function listRules(document: ContractDocument): Rule[] {
  return listAllRules(document).filter(({ party }) => party === undefined);
}

/** Lists the rules of servers and clients, starting with those that are not specific to one operation. */
export function listAllRules(document: ContractDocument): Rule[] {
  return [
    ...(document["x-rules"] ?? []),
    ...listOperations(document).flatMap(({ operation }) => operation["x-rules"] ?? []),
  ];
}

/**
 * Finds the rule that recommends the status of an error response. Undefined if one of the rules that the response shows states the
 * status, or if the contract recommends none. `shown` lists the ids of the rules that the response shows.
 */
export function statusRecommendation(rules: readonly Rule[], shown: readonly string[]): string | undefined {
  if (rules.some((rule) => rule["fixes-status"] === true && shown.includes(rule.id))) return undefined;
  return rules.find((rule) => rule["shown-by"]?.kind === "error-status")?.id;
}
