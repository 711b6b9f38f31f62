import { listClientRulesAt, type Strain } from "../../../contract/chat/client-rules.js";
import type { ContractDocument } from "../../../contract/chat/document.js";

/** Lists the strains that the rules of clients name, each with the ids of the rules that it tests. */
export function listStrains(document: ContractDocument, level: number): ReadonlyMap<Strain, readonly string[]> {
  const strains = new Map<Strain, string[]>();
  for (const { id, strain } of listClientRulesAt(document, level)) {
    if (strain !== undefined) strains.set(strain, [...(strains.get(strain) ?? []), id]);
  }
  return strains;
}
