import type { CheckOutcome } from "../../src/verify/model/check-result.js";
import { contractAtLevel } from "../../src/verify/rest/contract-at-level.js";
import { createChatSession } from "../../src/verify/rest/create-chat-session.js";
import { runSteps } from "../../src/verify/run/run-steps.js";

/** A chat server with provider states. */
export interface CheckedServer {
  /** The URL of the API, without `/api/v1`. */
  readonly url: string;
  readonly statesUrl: string;
}

/** Runs a case or workflow of the contract as of a feature level against a server. Throws an `Error` if the level has no such check. */
export async function runCheck(id: string, level: number, { url, statesUrl }: CheckedServer): Promise<CheckOutcome> {
  const { checks, operations, validators } = await contractAtLevel(level);
  const check = checks.find((one) => one.id === id);
  if (check === undefined) throw new Error(`the contract has no ${id} at level ${level}`);
  const limits = { timeoutMs: 300_000, signal: new AbortController().signal };
  const { outcome } = await runSteps(
    check,
    createChatSession({ url, statesUrl, operations, validators, ...limits }, id),
  );
  return outcome;
}
