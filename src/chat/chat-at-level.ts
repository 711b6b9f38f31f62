import { type ContractAtLevel, contractAtLevel } from "../verify/rest/contract-at-level.js";
import { chatContract } from "./contract.js";

/** Returns the contract of the chat service as of a level, at most the newest. The result is shared, so callers must not modify it. */
export async function chatAtLevel(level: number): Promise<ContractAtLevel> {
  return contractAtLevel(await chatContract(), level);
}
