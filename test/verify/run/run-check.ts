import { newestLevel } from "../../../generated/chat/request-levels.js";
import type { CallStep, Check, Step } from "../../../src/contract/check.js";
import type { CheckOutcome } from "../../../src/verify/model/check-result.js";
import { contractAtLevel } from "../../../src/verify/rest/contract-at-level.js";
import { createChatSession } from "../../../src/verify/rest/create-chat-session.js";
import type { CodeCheck } from "../../../src/verify/run/define-check.js";
import { runCode } from "../../../src/verify/run/run-code.js";
import { runSteps } from "../../../src/verify/run/run-steps.js";

/** The server under test. */
export interface Target {
  readonly url: string;
  readonly statesUrl?: string;
  readonly isNewer?: boolean;
  readonly signal?: AbortSignal;
}

const usual = { timeoutMs: 300_000, signal: new AbortController().signal };

/** A call of a check that a test writes: a GET of a URL or what it says instead. */
export function callStep(id: string, step: Partial<CallStep>): CallStep {
  return { kind: "call", id, as: "member", with: {}, expect: { status: 200 }, ...step };
}

/** Runs steps, after the state `organization` unless they begin with another. */
export async function runStepsOf(
  steps: readonly Step[],
  target: Target,
  about: Partial<Check> = {},
): Promise<CheckOutcome> {
  const { operations, validators } = await contractAtLevel(newestLevel);
  const given: Step = { kind: "state", id: "organization", state: "organization", params: {}, values: [] };
  const check: Check = {
    id: "workflow example",
    kind: "workflow",
    operation: "example",
    summary: "An example",
    rules: ["example.rule"],
    steps: steps[0]?.kind === "state" ? steps : [given, ...steps],
    ...about,
  };
  const session = createChatSession({ ...usual, ...target, operations, validators }, check.id);
  return (await runSteps(check, session)).outcome;
}

/** Runs a check in code with the contract of the newest level, which passes for that of `level`. */
export async function runCodeOf(check: CodeCheck, target: Target, level: number = newestLevel): Promise<CheckOutcome> {
  const { contract, operations, validators } = await contractAtLevel(newestLevel);
  const options = { ...usual, ...target };
  const session = createChatSession({ ...options, operations, validators }, check.id);
  return (await runCode(check, session, { url: target.url, contract, level, signal: options.signal })).outcome;
}
