import type { Case } from "../../contract/cases.js";
import { compareResponse, type ResponseValidators } from "./compare-response.js";
import { injectValues } from "./inject-values.js";
import { sendCase } from "./send-case.js";
import { type CallerCredentials, createStatesClient } from "./states-client.js";

/** The server that is verified. */
export interface VerifyTarget {
  /** Where the chat API is, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Where the provider states are, such as `http://127.0.0.1:4011`. */
  readonly statesUrl: string;
  /** The validators of the level of the server; by default those of the newest. */
  readonly validators?: ResponseValidators;
}

/** Credentials that no server knows. */
const unknownCredentials = { email: "stranger@stranger.invalid", api_key: "x".repeat(32) };

/**
 * Runs a case against a server: sets its states up, makes the call, and compares the response. Gives what is wrong, one readable
 * sentence each; empty when the server keeps the case. A setup that fails and a call without an answer are problems too.
 *
 * `nobody` sends no credentials, `stranger` unknown ones; every other caller has those that the states returned. Cases are
 * independent and may run at the same time. Never rejects.
 */
export async function runCase(one: Case, { url, statesUrl, validators }: VerifyTarget): Promise<string[]> {
  try {
    const isOutsider = one.as === "nobody" || one.as === "stranger";
    const needsStates = one.given.length > 0 || !isOutsider;
    const outcome = needsStates
      ? await createStatesClient(statesUrl).setUp(one.given)
      : { credentials: {}, values: {} };
    const injected = injectValues(one, outcome);
    const actual = await sendCase(injected, url, credentialsOf(one.as, outcome.credentials));
    return compareResponse(injected, actual, validators);
  } catch (error) {
    return [describe(error)];
  }
}

/** Whose credentials a case sends, among those that the states returned; undefined for `nobody`. Throws an `Error` when there are none. */
export function credentialsOf(
  as: string,
  credentials: Readonly<Record<string, CallerCredentials>>,
): Pick<CallerCredentials, "email" | "api_key"> | undefined {
  if (as === "nobody") return undefined;
  if (as === "stranger") return unknownCredentials;
  const found = Object.hasOwn(credentials, as) ? credentials[as] : undefined;
  if (found === undefined) throw new Error(`The provider states returned no credentials of ${as}`);
  return found;
}

/** `fetch` says only in `cause` why it failed. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== "" ? `${error.message}: ${cause.message}` : error.message;
}
