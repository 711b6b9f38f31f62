import { createMask } from "../../mask.js";
import { describeFailure } from "../describe-failure.js";
import { needsStates, needsStatesReason } from "../needs-states.js";
import { stateHelp } from "../state-help.js";
import { StateSetupError, type StatesClient } from "../states-client.js";
import { type CaseRequest, caseRequest } from "./case-request.js";
import type { PlannedCase } from "./dredd-plan.js";
import type { DreddResult } from "./dredd-result.js";
import { type CaseSetup, setUpCase } from "./set-up-case.js";

/** A case that is ready to be sent, or what came of it without. */
export type Preparation =
  | { readonly kind: "ready"; readonly ready: ReadyCase }
  | { readonly kind: "decided"; readonly result: DreddResult };

/** A case whose states are set up. */
export interface ReadyCase extends CaseSetup {
  readonly planned: PlannedCase;
  readonly request: CaseRequest;
  /** Puts `***` in the place of the keys of its callers. */
  readonly mask: (text: string) => string;
}

/** Where cases are sent. */
export interface CaseMeans {
  /** The API, with `/api/v1`. */
  readonly apiUrl: string;
  /** Left out: cases that need provider states are left out. */
  readonly states?: StatesClient;
}

/** Sets the states of a case up and encodes its request. Never rejects. */
export async function prepareCase(planned: PlannedCase, { apiUrl, states }: CaseMeans): Promise<Preparation> {
  const { one } = planned;
  if (needsStates(one) && states === undefined) {
    return { kind: "decided", result: { kind: "skipped", reason: needsStatesReason } };
  }
  try {
    const setup = await setUpCase(one, states);
    const request = await caseRequest(setup.one, apiUrl, setup.credentials);
    return { kind: "ready", ready: { ...setup, planned, request, mask: createMask(setup.secrets) } };
  } catch (error) {
    return { kind: "decided", result: await setupFailure(error, planned) };
  }
}

async function setupFailure(error: unknown, { one }: PlannedCase): Promise<DreddResult> {
  // The keys are not known, but what is secret by its name is masked all the same.
  const reason = createMask([])(describeFailure(error));
  if (!(error instanceof StateSetupError)) return { kind: "errored", reason, trace: [] };
  const { params = {} } = one.given.find(({ state }) => state === error.state) ?? {};
  // What to answer is not the trouble where nothing answers.
  if (error.status === undefined) return { kind: "errored", reason, trace: [], isUnanswered: true };
  return { kind: "errored", reason, help: await stateHelp({ state: error.state, params }), trace: [] };
}
