import type { Case } from "../../src/contract/chat/cases.js";
import { describeError } from "../../src/verify/chat/exchange/describe-call-error.js";
import { compareWithCase } from "../../src/verify/chat/judge/compare-with-case.js";
import type { ResponseValidators } from "../../src/verify/chat/judge/validators.js";
import { findCredentials } from "../../src/verify/chat/states/callers.js";
import { needsStates } from "../../src/verify/chat/states/case-setup.js";
import { injectValues } from "../../src/verify/chat/states/inject-values.js";
import { createStatesClient } from "../../src/verify/chat/states/states-client.js";
import { sendCase } from "./send-case.js";

/** The server under test. */
export interface VerifyTarget {
  /** URL of the chat API, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** URL of the provider states, such as `http://127.0.0.1:4011`. */
  readonly statesUrl: string;
  /** Validators for the feature level of the server. Defaults to the newest level. */
  readonly validators?: ResponseValidators;
}

/**
 * Runs a case against a server: sets up its states, makes the call, and compares the response. Returns one sentence per problem,
 * including a failed setup and a call without a response; empty if the case passes.
 *
 * `nobody` sends no credentials, `stranger` unknown ones; every other caller uses those that the states returned. Cases are
 * independent and can run concurrently. Never rejects.
 */
export async function runCase(one: Case, { url, statesUrl, validators }: VerifyTarget): Promise<string[]> {
  try {
    const outcome = needsStates(one)
      ? await createStatesClient(statesUrl).setUp(one.given)
      : { credentials: {}, values: {} };
    const injected = injectValues(one, outcome);
    const actual = await sendCase(injected, url, findCredentials(one.as, outcome.credentials));
    return compareWithCase(injected, actual, validators);
  } catch (error) {
    return [describeError(error)];
  }
}
