import { newestLevel } from "../../../generated/chat/request-levels.js";
import type { CallStep, Check, StateStep, Step } from "../../../src/contract/check.js";
import { contractAtLevel } from "../../../src/verify/rest/contract-at-level.js";
import { type ChatTarget, createChatSession } from "../../../src/verify/rest/create-chat-session.js";
import { type CheckRun, runSteps } from "../../../src/verify/run/run-steps.js";

/** Sets up the callers. */
export const given: StateStep = { kind: "state", id: "given", state: "organization", params: {}, values: [] };

/** A call that reads the status of a user as a member, changed in some members. */
export function call(change: Partial<CallStep> = {}): CallStep {
  const step = { kind: "call", id: "call", as: "member", call: "getUserStatus", with: { user_id: 7 } } as const;
  return { ...step, expect: { status: 200 }, rules: ["rule"], ...change };
}

/** A check with these steps and the rules that they name. */
export function check(steps: readonly Step[], change: Partial<Check> = {}): Check {
  const rules = [...new Set(steps.flatMap((step) => step.rules ?? []))];
  return { id: "case x/y", kind: "case", operation: "getUserStatus", summary: "", rules, steps, ...change };
}

/** Runs a check against a chat server with the newest contract. Time is limited only if a test says so. */
export async function runOn(
  server: { readonly url: string; readonly statesUrl?: string },
  one: Check,
  limits: Partial<Pick<ChatTarget, "timeoutMs" | "signal">> = {},
): Promise<CheckRun> {
  const { operations, validators } = await contractAtLevel(newestLevel);
  const { url, statesUrl } = server;
  const where = statesUrl === undefined ? { url } : { url, statesUrl };
  const target = { ...where, operations, validators, timeoutMs: 300_000, signal: new AbortController().signal };
  return runSteps(one, createChatSession({ ...target, ...limits }, one.id));
}
