import { type Changes, mergeChanges } from "../../src/breaking/impact.js";
import { ruleChanges } from "../../src/breaking/rule-changes.js";
import type { Operation } from "../../src/chat/operation.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { operationTable } from "../generate/operation-table.js";

/**
 * Finds changes that `redocly diff` ignores because they follow from our own conventions: the encoding of requests, whether an operation
 * needs a login, and the rules.
 */
export function tableChanges(base: ContractDocument, revision: ContractDocument): Changes {
  const after = operationTable(revision);
  const found = Object.entries(operationTable(base)).flatMap(([name, before]) => {
    const now = after[name];
    // The diff reports removed operations.
    return now === undefined ? [] : operationChanges(before, now).map((text) => ({ name, text }));
  });
  return mergeChanges(
    {
      impact: found.length === 0 ? "none" : "major",
      affected: [...new Set(found.map(({ name }) => name))],
      reasons: found.map(({ name, text }) => `major: ${name}: ${text}`),
    },
    ruleChanges(base, revision),
  );
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
