import type { ContractDocument } from "./document.js";
import { listOperations } from "./operations.js";

/** One statement of the requirements that a server can obey or break. */
export interface Rule {
  readonly id: string;
  readonly text: string;
  /** The feature level from which the rule holds. Left out: always. */
  readonly since?: number;
  /** The feature level from which it no longer holds. Left out: it still does. */
  readonly until?: number;
  /** Why no call and no sequence of calls can show the rule. */
  readonly untestable?: string;
}

/** Every rule of the contract, those of no single operation first. */
export function listRules(document: ContractDocument): Rule[] {
  return [
    ...(document["x-rules"] ?? []),
    ...listOperations(document).flatMap(({ operation }) => operation["x-rules"] ?? []),
  ];
}
