import { CouldNotRunError } from "../../../base/could-not-run-error.js";
import { plainCaller } from "../../../contract/rest/conventions.js";
import type { ContractDocument } from "../../../contract/rest/document.js";
import type { ProbedOperation } from "../../../contract/rest/probed-operation.js";
import { loginFields, secretNames } from "../../../contract/rest/security.js";
import { baseState, callersOf, type StatesCatalogue, setupAnswer } from "../../../contract/rest/states.js";
import type { SendLimits } from "../../http/send-request.js";
import { stateHelp } from "../../states/catalogue.js";
import {
  createStatesClient,
  StateSetupError,
  type StatesClientOptions,
  type StatesOutcome,
} from "../../states/states-client.js";
import { findLoginCall } from "./login-call.js";

/** The server to verify, and the contract. */
export interface StatesTarget {
  /** The URL of the API. */
  readonly url: string;
  readonly statesUrl?: string;
  readonly document: ContractDocument;
  readonly states: StatesCatalogue;
  readonly operations: ReadonlyMap<string, ProbedOperation>;
}

/**
 * Ensures, before the first check, that a server sets up provider states, with credentials that its API accepts: with those of another
 * server, every check would report a broken login. Without `statesUrl`, does nothing. Rejects with a `CouldNotRunError` that says what to
 * do, or with the signal's reason once that aborts.
 */
export async function requirePrerequisites(target: StatesTarget, limits: SendLimits): Promise<void> {
  const { url, statesUrl, document, states, operations } = target;
  if (statesUrl === undefined || baseState(states) === undefined) return;
  const { credentials } = await requireStates(statesUrl, { document, states }, { ...limits, url });
  const caller = plainCaller(document);
  const own = credentials[caller];
  // If the call gets no response, the checks report that.
  const login = findLoginCall(operations.values(), { apiUrl: url, document }, limits);
  if (own === undefined || (await login?.send(own)) !== 401) return;
  throw new CouldNotRunError(
    `${login?.url} answers 401 to the credentials of \`${caller}\` that the provider states returned. ` +
      "Make sure that both belong to the same server, and that the credentials are those with which that user logs in",
  );
}

/**
 * Ensures that a server sets up provider states, by setting up the one from which checks start, which it returns. A problem that all setups
 * share is thereby reported once. Rejects with a `CouldNotRunError` that says what to do, or with the signal's reason once that aborts.
 */
export async function requireStates(
  statesUrl: string,
  { document, states: catalogue }: Pick<StatesTarget, "document" | "states">,
  options: Pick<StatesClientOptions, "timeoutMs" | "signal" | "headers" | "pace" | "url">,
): Promise<StatesOutcome> {
  const base = baseState(catalogue) ?? "";
  const answer = setupAnswer(catalogue);
  const states = createStatesClient(statesUrl, {
    ...options,
    answer,
    secretFields: secretNames(document),
  });
  try {
    const outcome = await states.setUp([{ state: base }]);
    const missing = callersOf(catalogue).filter((name) => !Object.hasOwn(outcome.credentials, name));
    if (missing.length === 0) return outcome;
    const reason = `the answer has no credentials of ${missing.join(", ")}`;
    throw new StateSetupError(base, reason, { status: 200 });
  } catch (error) {
    if (!(error instanceof StateSetupError)) throw error;
    // A template of a response only helps if there was a response to correct.
    const isAnswered = error.status !== undefined;
    const help = isAnswered
      ? `\n${stateHelp(catalogue, { state: error.state, params: {} }, loginFields(document))}`
      : "";
    throw new CouldNotRunError(`${error.message}. Correct the server, or the URL of its provider states${help}`);
  }
}
