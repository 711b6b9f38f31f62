import { loadStatesCatalogue } from "../../src/chat/contract.js";
import type { ContractAtLevel } from "../../src/verify/rest/contract-at-level.js";
import type { RestTarget } from "../../src/verify/rest/rest-target.js";

/** A chat server as sessions of checks see it. `url` is without the path of the API; time is limited only if a test says so. */
export async function chatTarget(
  { url, ...server }: Pick<RestTarget, "url"> & Partial<RestTarget>,
  { contract, operations, validators }: Pick<ContractAtLevel, "contract" | "operations" | "validators">,
): Promise<RestTarget> {
  const states = await loadStatesCatalogue();
  const limits = { timeoutMs: 300_000, signal: new AbortController().signal };
  return { ...limits, document: contract, states, operations, validators, ...server, url: `${url}/api/v1` };
}
