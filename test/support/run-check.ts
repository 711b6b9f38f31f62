import { chatAtLevel } from "../../src/chat/chat-at-level.js";
import type { CheckOutcome } from "../../src/report/model/check-result.js";
import { createRestSession } from "../../src/verify/rest/create-rest-session.js";
import { runSteps } from "../../src/verify/run/run-steps.js";
import { chatTarget } from "./chat-target.js";

/** A chat server with provider states. */
export interface CheckedServer {
  /** The URL of the API, without `/api/v1`. */
  readonly url: string;
  readonly statesUrl: string;
}

/** Runs a case or workflow of the contract as of a feature level against a server. Throws an `Error` if the level has no such check. */
export async function runCheck(id: string, level: number, { url, statesUrl }: CheckedServer): Promise<CheckOutcome> {
  const contract = await chatAtLevel(level);
  const check = contract.checks.find((one) => one.id === id);
  if (check === undefined) throw new Error(`the contract has no ${id} at level ${level}`);
  const { outcome } = await runSteps(check, createRestSession(await chatTarget({ url, statesUrl }, contract), id));
  return outcome;
}
