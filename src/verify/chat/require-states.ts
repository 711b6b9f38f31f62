import { CouldNotRunError } from "../could-not-run-error.js";
import { stateHelp } from "./state-help.js";
import { loadStatesCatalogue } from "./states-catalogue.js";
import { createStatesClient, StateSetupError, type StatesClientOptions, type StatesOutcome } from "./states-client.js";

/**
 * Makes sure that a server sets provider states up, by making an organization, which it gives: what is wrong with all of them is said
 * once. Rejects with a `CouldNotRunError` that says what to do, and with the reason of the signal when that is aborted.
 */
export async function requireStates(statesUrl: string, options: StatesClientOptions): Promise<StatesOutcome> {
  const states = createStatesClient(statesUrl, options);
  const { "x-callers": callers } = await loadStatesCatalogue();
  try {
    const outcome = await states.setUp([]);
    const missing = Object.keys(callers).filter((name) => !Object.hasOwn(outcome.credentials, name));
    if (missing.length === 0) return outcome;
    const reason = `the answer has no credentials of ${missing.join(", ")}`;
    throw new StateSetupError("organization", reason, { status: 200 });
  } catch (error) {
    if (!(error instanceof StateSetupError)) throw error;
    // Without an answer there is nothing to correct in it.
    const isAnswered = error.status !== undefined;
    const help = isAnswered ? `\n${await stateHelp({ state: error.state, params: {} })}` : "";
    throw new CouldNotRunError(`${error.message}. Correct the server, or the URL of its provider states${help}`);
  }
}
