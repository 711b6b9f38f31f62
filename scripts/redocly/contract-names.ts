import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { type Method, methods, type OperationObject } from "../../src/contract/chat/document.js";
import type { Rule } from "../../src/contract/chat/rules.js";

/** What a workflow may refer to. */
export interface ContractNames {
  readonly rules: ReadonlySet<string>;
  readonly operationIds: ReadonlySet<string>;
}

const known = new Map<string, ContractNames>();

/** The rules and operations of `chat.yaml`, one folder above a workflow file. Read without bundling, since lint runs on the sources. */
export function readContractNames(workflowFile: string): ContractNames {
  const root = join(dirname(workflowFile), "../chat.yaml");
  const names = known.get(root) ?? read(root);
  known.set(root, names);
  return names;
}

function read(root: string): ContractNames {
  const contract: { "x-rules"?: Rule[]; paths: Record<string, { $ref: string }> } = parse(readFileSync(root, "utf8"));
  const rules = new Set((contract["x-rules"] ?? []).map(({ id }) => id));
  const operationIds = new Set<string>();
  for (const { $ref } of Object.values(contract.paths)) {
    const item: Partial<Record<Method, OperationObject>> = parse(readFileSync(join(dirname(root), $ref), "utf8"));
    for (const method of methods) {
      const operation = item[method];
      if (operation === undefined) continue;
      operationIds.add(operation.operationId);
      for (const { id } of operation["x-rules"] ?? []) rules.add(id);
    }
  }
  return { rules, operationIds };
}
