import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chatAtLevel } from "../../../src/chat/chat-at-level.js";
import type { CallStep, Check, Step } from "../../../src/contract/check.js";
import type { CheckOutcome } from "../../../src/report/model/check-result.js";
import { createRestSession } from "../../../src/verify/rest/create-rest-session.js";
import type { CodeCheck } from "../../../src/verify/run/define-check.js";
import { runCode } from "../../../src/verify/run/run-code.js";
import { runSteps } from "../../../src/verify/run/run-steps.js";
import { chatTarget } from "../../support/chat-target.js";

/** The server under test. */
export interface Target {
  readonly url: string;
  readonly statesUrl?: string;
  readonly isNewer?: boolean;
  readonly signal?: AbortSignal;
}

/** A call of a check that a test writes: a GET of a URL or what it says instead. */
export function callStep(id: string, step: Partial<CallStep>): CallStep {
  return { kind: "call", id, as: "member", with: {}, expect: [{ status: 200 }], ...step };
}

/** Runs steps, after the state `organization` unless they begin with another. */
export async function runStepsOf(
  steps: readonly Step[],
  target: Target,
  about: Partial<Check> = {},
): Promise<CheckOutcome> {
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
  const session = createRestSession(await chatTarget(target, await chatAtLevel(newestLevel)), check.id);
  return (await runSteps(check, session)).outcome;
}

/** Runs a check in code with the contract of the newest level, which passes for that of `level`. */
export async function runCodeOf(check: CodeCheck, target: Target, level: number = newestLevel): Promise<CheckOutcome> {
  const contract = await chatAtLevel(newestLevel);
  const { signal, ...limits } = await chatTarget(target, contract);
  const session = createRestSession({ ...limits, signal }, check.id);
  return (
    await runCode(check, session, {
      ...{ url: target.url, apiPath: { documented: "/api/v1", actual: "/api/v1" } },
      ...{ contract: contract.contract, level, signal },
      guard: { run: (_, work) => work() },
    })
  ).outcome;
}
