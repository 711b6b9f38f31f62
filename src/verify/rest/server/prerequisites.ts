import { CouldNotRunError } from "../../could-not-run-error.js";
import { NoAnswerError, type SendLimits, sendRequest } from "../../http/send-request.js";
import { basicCredentials } from "../../states/callers.js";
import { loadStatesCatalogue, stateHelp } from "../../states/catalogue.js";
import {
  createStatesClient,
  StateSetupError,
  type StatesClientOptions,
  type StatesOutcome,
} from "../../states/states-client.js";

/**
 * Ensures, before the first check, that a server sets up provider states, with keys that its API accepts. Without `statesUrl`, does
 * nothing. Rejects with a `CouldNotRunError` that says what to do, or with the signal's reason once that aborts.
 */
export async function requirePrerequisites(
  { url, statesUrl }: { readonly url: string; readonly statesUrl?: string },
  limits: SendLimits,
): Promise<void> {
  if (statesUrl === undefined) return;
  await requireAcceptedKeys(url, await requireStates(statesUrl, limits), limits);
}

/**
 * Ensures that a server sets up provider states, by creating an organization, which it returns. A problem that all setups share is
 * thereby reported once. Rejects with a `CouldNotRunError` that says what to do, or with the signal's reason once that aborts.
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
    // A template of a response only helps if there was a response to correct.
    const isAnswered = error.status !== undefined;
    const help = isAnswered ? `\n${await stateHelp({ state: error.state, params: {} })}` : "";
    throw new CouldNotRunError(`${error.message}. Correct the server, or the URL of its provider states${help}`);
  }
}

/** A call that exists at every level and needs nothing but a login. */
export const loginPath = "/api/v1/messages?anchor=0&num_before=0&num_after=0";

/**
 * Ensures that the API accepts the keys that the provider states returned: with keys of another server, every check would report a
 * broken login. `url` is the URL of the API without `/api/v1`. If the call gets no response, the checks report that. Rejects with a
 * `CouldNotRunError`, or with the signal's reason once that aborts.
 */
async function requireAcceptedKeys(
  url: string,
  { credentials: { member } }: Pick<StatesOutcome, "credentials">,
  limits: SendLimits,
): Promise<void> {
  if (member === undefined) return;
  const headers = { ...limits.headers, Authorization: basicCredentials(member.email, member.api_key) };
  const response = await sendRequest({ method: "GET", url: `${url}${loginPath}`, headers }, limits).catch(
    (error: unknown) => {
      if (error instanceof NoAnswerError) return undefined;
      throw error;
    },
  );
  if (response?.status !== 401) return;
  throw new CouldNotRunError(
    `${url}${loginPath} answers 401 to the key of \`member\` that the provider states returned. ` +
      "Make sure that both belong to the same server, and that the credentials are the address and key with which that user logs in",
  );
}
