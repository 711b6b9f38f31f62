import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chatAtLevel } from "../../../src/chat/chat-at-level.js";
import type { CallStep, Check, StateStep, Step } from "../../../src/contract/check.js";
import { createRestSession } from "../../../src/verify/rest/create-rest-session.js";
import type { RestTarget } from "../../../src/verify/rest/rest-target.js";
import { type CheckRun, runSteps } from "../../../src/verify/run/run-steps.js";
import { chatTarget } from "../../support/chat-target.js";

/** Sets up the callers. */
export const given: StateStep = { kind: "state", id: "given", state: "organization", params: {}, values: [] };

/** A call that reads the status of a user as a member, changed in some members. */
export function call(change: Partial<CallStep> = {}): CallStep {
  const step = { kind: "call", id: "call", as: "member", call: "getUserStatus", with: { user_id: 7 } } as const;
  return { ...step, expect: [{ status: 200 }], rules: ["rule"], ...change };
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
  limits: Partial<Pick<RestTarget, "timeoutMs" | "signal">> = {},
): Promise<CheckRun> {
  const { url, statesUrl } = server;
  const where = statesUrl === undefined ? { url } : { url, statesUrl };
  const target = await chatTarget(where, await chatAtLevel(newestLevel));
  return runSteps(one, createRestSession({ ...target, ...limits }, one.id));
}
