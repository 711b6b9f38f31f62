import type { Case } from "../../../contract/cases.js";
import { injectValues } from "../inject-values.js";
import { requireValues } from "../require-values.js";
import { credentialsOf } from "../run-case.js";
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

/** Whether a case can only be run where provider states can be set up: it starts from some, or its caller has an account. */
export function needsStates(one: Case): boolean {
  return one.given.length > 0 || !isOutsider(one);
}

/** Whether the caller of a case has no account. */
function isOutsider({ as }: Case): boolean {
  return as === "nobody" || as === "stranger";
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
  if (isNeeded) await requireValues(one, outcome, isOutsider(one) ? [] : [one.as]);
  const credentials = credentialsOf(one.as, outcome.credentials);
  const keys = Object.values<CallerCredentials>(outcome.credentials).map(({ api_key }) => api_key);
  const tokens = Object.entries(outcome.values).flatMap(([name, value]) =>
    /token/i.test(name) ? [String(value)] : [],
  );
  return {
    one: injectValues(one, outcome),
    secrets: [...keys, ...tokens],
    setups: outcome.calls ?? [],
    ...(credentials === undefined ? {} : { credentials }),
  };
}
