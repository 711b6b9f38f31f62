import { loadStatesCatalogue } from "../../src/chat/contract.js";
import type { Check } from "../../src/contract/check.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";
import type { RandomProbe } from "../../src/verify/derive/parameter-probes.js";
import { probesOf } from "../../src/verify/rest/contract-at-level.js";

/** Lists the probes of a chat contract as of a level. */
export async function chatProbes(contract: ContractDocument): Promise<(Check | RandomProbe)[]> {
  return probesOf(contract, await loadStatesCatalogue());
}
