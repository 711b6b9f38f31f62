import { type Changes, mergeChanges } from "../../src/breaking/impact.js";
import { ruleChanges } from "../../src/breaking/rule-changes.js";
import type { ChatOperation } from "../../src/chat/operation.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import { inputsOf, type Parameter } from "../../src/request/operation.js";
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

function operationChanges(before: ChatOperation, now: ChatOperation): string[] {
  const facts = ({ method, path, bodies, auth, feature }: ChatOperation) => ({
    method,
    path,
    body: bodies?.[0]?.form,
    auth,
    feature,
  });
  const factsNow: Readonly<Record<string, unknown>> = facts(now);
  const kindsNow = new Map(inputsOf(now).map((one) => [one.name, encodingOf(one)]));
  return [
    ...Object.entries(facts(before)).flatMap(([key, value]) =>
      value === factsNow[key] ? [] : [`${key} changed from ${value ?? "unset"} to ${factsNow[key] ?? "unset"}`],
    ),
    ...inputsOf(before).flatMap((one) => {
      const [kind, kindNow] = [encodingOf(one), kindsNow.get(one.name)];
      if (kindNow === undefined) return [`parameter ${one.name} was removed`];
      return kindNow === kind ? [] : [`the encoding of parameter ${one.name} changed from ${kind} to ${kindNow}`];
    }),
  ];
}

function encodingOf({ json, isFile, slashes, type = "any" }: Parameter): string {
  if (json) return "json";
  if (isFile) return "file";
  return slashes ? "segments" : [type].flat().join("-or-");
}
