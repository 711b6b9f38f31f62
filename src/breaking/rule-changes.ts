import type { ContractDocument } from "../contract/rest/document.js";
import { listOperations } from "../contract/rest/operations.js";
import { listAllRules } from "../contract/rest/rules.js";
import type { Changes } from "./impact.js";

/** Finds the rules that differ between two documents, without regard to their `source`, which affects neither servers nor clients. */
export function ruleChanges(base: ContractDocument, revision: ContractDocument): Changes {
  const operationOf = operationsByRule(revision, operationsByRule(base));
  const rules = (document: ContractDocument) =>
    new Map(listAllRules(document).map(({ source: _, ...rule }) => [rule.id, JSON.stringify(rule)]));
  const [before, now] = [rules(base), rules(revision)];
  const changed = [...new Set([...before.keys(), ...now.keys()])].filter((id) => before.get(id) !== now.get(id));
  const names = changed.map((id) => operationOf.get(id) ?? "");
  return {
    impact: changed.length === 0 ? "none" : "minor",
    affected: [...new Set(names.filter((name) => name !== ""))].sort(),
    reasons: changed.map((id, index) => {
      const change = !now.has(id) ? "was removed" : before.has(id) ? "changed" : "is new";
      return `minor: ${names[index] === "" ? "" : `${names[index]}: `}rule ${id} ${change}`;
    }),
  };
}

function operationsByRule(document: ContractDocument, into = new Map<string, string>()): Map<string, string> {
  for (const { operation } of listOperations(document)) {
    for (const { id } of operation["x-rules"] ?? []) into.set(id, operation.operationId);
  }
  return into;
}
