import type { VerifyReport } from "../report/model/verify-report.js";
import { type ContractAtLevel, contractAtLevel } from "../verify/rest/contract-at-level.js";
import { type VerifyRestOptions, verifyRest } from "../verify/rest/verify-rest.js";
import { chatContract } from "./contract.js";

/** The chat server to verify, and how. */
export type VerifyChatOptions = VerifyRestOptions;

/** Checks a chat server against the contract of its feature level. Rejects like `verifyRest`. */
export async function verifyChat(options: VerifyChatOptions): Promise<VerifyReport> {
  return verifyRest(await chatContract(), options);
}

/** Returns the contract of the chat service as of a level, at most the newest. The result is shared, so callers must not modify it. */
export async function chatAtLevel(level: number): Promise<ContractAtLevel> {
  return contractAtLevel(await chatContract(), level);
}
