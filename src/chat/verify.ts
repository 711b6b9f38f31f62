import type { Check } from "../contract/check.js";
import type { ContractDocument } from "../contract/rest/document.js";
import type { RandomProbe } from "../verify/derive/parameter-probes.js";
import type { VerifyReport } from "../verify/model/verify-report.js";
import { type ContractAtLevel, contractAtLevel, probesOf } from "../verify/rest/contract-at-level.js";
import { readLevel } from "../verify/rest/read-level.js";
import type { ServerSettings } from "../verify/rest/server/read-server-settings.js";
import { apiUrl } from "../verify/rest/server/server-urls.js";
import { type VerifyRestOptions, verifyRest } from "../verify/rest/verify-rest.js";
import { chatContract, loadStatesCatalogue } from "./contract.js";

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

/** Lists the probes of a chat contract as of a level. */
export async function chatProbes(contract: ContractDocument): Promise<(Check | RandomProbe)[]> {
  return probesOf(contract, await loadStatesCatalogue());
}

/** The path of the API, which every server has. */
const path = "/api/v1";

/** Returns the URL of a chat server before the path of its API. Throws a `CouldNotRunError` like `apiUrl`. */
export function serverBaseUrl(text: string): string {
  return apiUrl(text, { name: "chat", path }).slice(0, -path.length);
}

/** Asks a chat server for its feature level. `origin` is its URL before the path of the API. */
export async function readServerSettings(
  origin: string,
  limits: Parameters<typeof readLevel>[2],
): Promise<ServerSettings> {
  return readLevel(await chatContract(), `${origin}${path}`, limits);
}
