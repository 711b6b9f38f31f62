import type { Case } from "../../../contract/cases.js";
import { injectValues } from "../inject-values.js";
import { credentialsOf } from "../run-case.js";
import { loadStatesCatalogue } from "../states-catalogue.js";
import { type CallerCredentials, StateSetupError, type StatesClient, type StatesOutcome } from "../states-client.js";

/** A case with the values of the states that were set up for it. */
export interface CaseSetup {
  readonly one: Case;
  /** Left out when the caller sends none. */
  readonly credentials?: Pick<CallerCredentials, "email" | "api_key">;
  /** The keys of all callers, and the tokens of devices. */
  readonly secrets: readonly string[];
}

/** Whether a case can only be run where provider states can be set up: it starts from some, or its caller has an account. */
export function needsStates({ as, given }: Case): boolean {
  return given.length > 0 || (as !== "nobody" && as !== "stranger");
}

/**
 * Sets up the states of a case, if it needs any. Rejects with a `StateSetupError` when one of them cannot be set up, and with an
 * `Error` when they did not return what the case needs.
 */
export async function setUpCase(one: Case, states: StatesClient | undefined): Promise<CaseSetup> {
  const isNeeded = needsStates(one);
  if (isNeeded && states === undefined) throw new Error("The case needs provider states");
  const outcome = isNeeded && states !== undefined ? await states.setUp(one.given) : { credentials: {}, values: {} };
  await checkValues(one, outcome);
  const credentials = credentialsOf(one.as, outcome.credentials);
  const keys = Object.values<CallerCredentials>(outcome.credentials).map(({ api_key }) => api_key);
  const tokens = Object.entries(outcome.values).flatMap(([name, value]) =>
    /token/i.test(name) ? [String(value)] : [],
  );
  return {
    one: injectValues(one, outcome),
    secrets: [...keys, ...tokens],
    ...(credentials === undefined ? {} : { credentials }),
  };
}

/** Without a value that a state has to return, the request would be another one, and its answer no fault of the server. */
async function checkValues({ given }: Case, { values }: Pick<StatesOutcome, "values">): Promise<void> {
  const { "x-states": states } = await loadStatesCatalogue();
  for (const { state, rename } of given) {
    const { required = [] } = states[state]?.values ?? {};
    const missing = required.filter((name) => values[rename[name] ?? name] === undefined);
    if (missing.length > 0)
      throw new StateSetupError(state, `the answer has no ${missing.join(", ")}`, { status: 200 });
  }
}
