import type { Case } from "../../../contract/chat/cases.js";
import { credentialsOf } from "../credentials-of.js";
import { injectValues } from "../inject-values.js";
import { isOutsider, needsStates } from "../needs-states.js";
import { requireValues } from "../require-values.js";
import { secretsOf } from "../secrets-of.js";
import type { CallerCredentials, SetupCall, StatesClient } from "../states-client.js";

/** A case with the values of the states that were set up for it. */
export interface CaseSetup {
  readonly one: Case;
  /** Left out when the caller sends none. */
  readonly credentials?: Pick<CallerCredentials, "email" | "api_key">;
  /** The keys of all callers, and the tokens of devices. */
  readonly secrets: readonly string[];
  /** The calls that set the states up. */
  readonly setups: readonly SetupCall[];
}

const noOutcome = { credentials: {}, values: {}, calls: [] };

/**
 * Sets up the states of a case, if it needs any. Rejects with a `StateSetupError` when one of them cannot be set up, or does not return
 * what the case needs.
 */
export async function setUpCase(one: Case, states: StatesClient | undefined): Promise<CaseSetup> {
  const isNeeded = needsStates(one);
  if (isNeeded && states === undefined) throw new Error("The case needs provider states");
  const outcome = isNeeded && states !== undefined ? await states.setUp(one.given) : noOutcome;
  if (isNeeded) await requireValues(one, outcome, isOutsider(one.as) ? [] : [one.as]);
  const credentials = credentialsOf(one.as, outcome.credentials);
  return {
    one: injectValues(one, outcome),
    secrets: secretsOf(outcome),
    setups: outcome.calls ?? [],
    ...(credentials === undefined ? {} : { credentials }),
  };
}
