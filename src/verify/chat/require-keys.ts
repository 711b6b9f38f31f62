import { CouldNotRunError } from "../could-not-run-error.js";
import { basicCredentials } from "./basic-credentials.js";
import { NoAnswerError, type SendLimits, sendRequest } from "./send-request.js";
import type { StatesOutcome } from "./states-client.js";

/** A call that every level has, and that needs nothing but a login. */
const path = "/api/v1/messages?anchor=0&num_before=0&num_after=0";

/**
 * Makes sure that the API takes the keys that the provider states have returned: one that belongs to another server would look like a
 * broken login in every check. `url` is where the API is, without `/api/v1`. Rejects with a `CouldNotRunError` that says so, and with the
 * reason of the signal when that is aborted. A call without an answer is left to the checks.
 */
export async function requireKeys(
  url: string,
  { credentials: { member } }: Pick<StatesOutcome, "credentials">,
  limits: SendLimits,
): Promise<void> {
  if (member === undefined) return;
  const headers = { Authorization: basicCredentials(member.email, member.api_key) };
  const response = await sendRequest({ method: "GET", url: `${url}${path}`, headers }, limits).catch(
    (error: unknown) => {
      if (error instanceof NoAnswerError) return undefined;
      throw error;
    },
  );
  if (response?.status !== 401) return;
  throw new CouldNotRunError(
    `${url}${path} answers 401 to the key of \`member\` that the provider states have returned. ` +
      "Let both belong to the same server, and credentials have the address and key with which that user logs in",
  );
}
