import type { ContractDocument } from "../document.js";
import { levelOf } from "../feature-level.js";
import { mapNodes } from "../map-nodes.js";

/**
 * Makes the fields that the level itself adds optional: by the requirements, a server of a level needs only what came before it. Rules
 * about such a field are recommendations at its level (`rulesAtLevel`).
 */
export function withoutNewRequirements(contract: ContractDocument, level: number): ContractDocument {
  return mapNodes(contract, (node) => {
    const { required, properties } = node;
    if (!Array.isArray(required) || typeof properties !== "object" || properties === null) return node;
    const isNew = (name: unknown) =>
      levelOf(contract, Reflect.get(properties, String(name)))?.added === level && level > 0;
    return required.some(isNew) ? { ...node, required: required.filter((name) => !isNew(name)) } : node;
  }) as ContractDocument;
}
