import type { Case } from "../../src/contract/chat/cases.js";
import { compareWithCase } from "../../src/verify/chat/compare-with-case.js";
import { credentialsOf } from "../../src/verify/chat/credentials-of.js";
import { describeFailure } from "../../src/verify/chat/describe-failure.js";
import { injectValues } from "../../src/verify/chat/inject-values.js";
import { needsStates } from "../../src/verify/chat/needs-states.js";
import type { ResponseValidators } from "../../src/verify/chat/response-validators.js";
import { createStatesClient } from "../../src/verify/chat/states-client.js";
import { sendCase } from "./send-case.js";

/** The server that is verified. */
export interface VerifyTarget {
  /** Where the chat API is, such as `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Where the provider states are, such as `http://127.0.0.1:4011`. */
  readonly statesUrl: string;
  /** The validators of the level of the server; by default those of the newest. */
  readonly validators?: ResponseValidators;
}

/**
 * Runs a case against a server: sets its states up, makes the call, and compares the response. Gives what is wrong, one readable
 * sentence each; empty when the server keeps the case. A setup that fails and a call without an answer are problems too.
 *
 * `nobody` sends no credentials, `stranger` unknown ones; every other caller has those that the states returned. Cases are
 * independent and may run at the same time. Never rejects.
 */
export async function runCase(one: Case, { url, statesUrl, validators }: VerifyTarget): Promise<string[]> {
  try {
    const outcome = needsStates(one)
      ? await createStatesClient(statesUrl).setUp(one.given)
      : { credentials: {}, values: {} };
    const injected = injectValues(one, outcome);
    const actual = await sendCase(injected, url, credentialsOf(one.as, outcome.credentials));
    return compareWithCase(injected, actual, validators);
  } catch (error) {
    return [describeFailure(error)];
  }
}
