import type { Operation } from "../../src/chat/operation.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { listOperations } from "../../src/contract/rest/operations.js";
import { listAllRules } from "../../src/contract/rest/rules.js";
import { operationTable } from "../generate/operation-table.js";
import { type Changes, greater, type Impact } from "./impact.js";

/**
 * Finds changes that `redocly diff` ignores because they follow from our own conventions: the encoding of requests, whether an operation
 * needs a login, and the rules.
 */
export function tableChanges(base: ContractDocument, revision: ContractDocument): Changes {
  const found: { impact: Impact; name: string; text: string }[] = [];
  const after = operationTable(revision);
  for (const [name, before] of Object.entries(operationTable(base))) {
    const now = after[name];
    // The diff reports removed operations.
    if (now !== undefined)
      found.push(...operationChanges(before, now).map((text) => ({ impact: "major" as const, name, text })));
  }
  const operationOf = operationsByRule(revision, operationsByRule(base));
  // A changed `source` of a rule affects neither servers nor clients.
  const rules = (document: ContractDocument) =>
    new Map(listAllRules(document).map(({ source: _, ...rule }) => [rule.id, JSON.stringify(rule)]));
  const [rulesBefore, rulesNow] = [rules(base), rules(revision)];
  for (const id of new Set([...rulesBefore.keys(), ...rulesNow.keys()])) {
    if (rulesBefore.get(id) === rulesNow.get(id)) continue;
    const change = !rulesNow.has(id) ? "was removed" : rulesBefore.has(id) ? "changed" : "is new";
    found.push({ impact: "minor", name: operationOf.get(id) ?? "", text: `rule ${id} ${change}` });
  }
  return {
    impact: found.reduce<Impact>((max, { impact }) => greater(max, impact), "none"),
    affected: [...new Set(found.map(({ name }) => name).filter((name) => name !== ""))].sort(),
    reasons: found.map(({ impact, name, text }) => `${impact}: ${name === "" ? "" : `${name}: `}${text}`),
  };
}

function operationChanges(before: Operation, now: Operation): string[] {
  const fields = (["method", "path", "body", "auth", "feature"] as const).filter((key) => before[key] !== now[key]);
  const kinds = Object.entries({ ...before.parameters, ...before.headers });
  const kindsNow: Readonly<Record<string, string>> = { ...now.parameters, ...now.headers };
  return [
    ...fields.map((key) => `${key} changed from ${before[key] ?? "unset"} to ${now[key] ?? "unset"}`),
    ...kinds.flatMap(([name, kind]) => {
      if (kindsNow[name] === undefined) return [`parameter ${name} was removed`];
      return kindsNow[name] === kind
        ? []
        : [`the encoding of parameter ${name} changed from ${kind} to ${kindsNow[name]}`];
    }),
  ];
}

function operationsByRule(document: ContractDocument, into = new Map<string, string>()): Map<string, string> {
  for (const { operation } of listOperations(document)) {
    for (const { id } of operation["x-rules"] ?? []) into.set(id, operation.operationId);
  }
  return into;
}
