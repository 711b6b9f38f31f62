import { createMask } from "../../mask.js";
import { type CaseRequest, caseRequest } from "../exchange/case-request.js";
import { describeError } from "../exchange/describe-call-error.js";
import { type CaseSetup, needsStates, needsStatesReason, setUpCase } from "../states/case-setup.js";
import { lacksState, stateHelp } from "../states/catalogue.js";
import { StateSetupError, type StatesClient } from "../states/states-client.js";
import type { DreddResult, PlannedCase } from "./hooks-protocol.js";

/** A case that is ready to send, or its result without being sent. */
export type Preparation =
  | { readonly kind: "ready"; readonly ready: ReadyCase }
  | { readonly kind: "decided"; readonly result: DreddResult };

/** A case whose provider states are set up. */
export interface ReadyCase extends CaseSetup {
  readonly planned: PlannedCase;
  readonly request: CaseRequest;
  /** Replaces the keys of the callers with `***`. */
  readonly mask: (text: string) => string;
}

/** The server under test. */
export interface CaseTarget {
  /** The URL of the API, with `/api/v1`. */
  readonly apiUrl: string;
  /** If omitted, cases that need provider states are skipped. */
  readonly states?: StatesClient;
}

/** Sets up the states of a case and encodes its request. Never rejects. */
export async function prepareCase(planned: PlannedCase, { apiUrl, states }: CaseTarget): Promise<Preparation> {
  const { testCase } = planned;
  if (needsStates(testCase) && states === undefined) {
    return { kind: "decided", result: { kind: "skipped", reason: needsStatesReason } };
  }
  try {
    const setup = await setUpCase(testCase, states);
    const request = await caseRequest(setup.testCase, apiUrl, setup.credentials);
    return { kind: "ready", ready: { ...setup, planned, request, mask: createMask(setup.secrets) } };
  } catch (error) {
    return { kind: "decided", result: await setupFailure(error, planned) };
  }
}

async function setupFailure(error: unknown, { testCase }: PlannedCase): Promise<DreddResult> {
  // No keys are known here; this masks secret fields.
  const reason = createMask([])(describeError(error));
  if (!(error instanceof StateSetupError)) return { kind: "errored", reason, trace: [] };
  const { params = {} } = testCase.given.find(({ state }) => state === error.state) ?? {};
  // A template of a response does not help if there was no response.
  const { state, status } = error;
  if (status === undefined) return { kind: "errored", reason, trace: [], isUnanswered: true };
  if (await lacksState({ state, status })) return { kind: "skipped", reason };
  return { kind: "errored", reason, help: await stateHelp({ state, params }), trace: [] };
}
