import { credentialFields, secretFields } from "../../contract/rest/conventions.js";
import { type StatesCatalogue, setupAnswer } from "../../contract/rest/states.js";
import type { SetUpState } from "../run/session.js";
import { stateSecrets } from "../states/callers.js";
import { lacksState, stateHelp } from "../states/catalogue.js";
import { requireTypes } from "../states/require-types.js";
import { createStatesClient } from "../states/states-client.js";

/** Sets up the provider states of an RPC server, by the same `POST /states` as those of a REST server. */
export interface RpcStates {
  /** Rejects with a `StateSetupError`. `check` is the id of the check, which the server may log. */
  readonly setUp: (given: { readonly state: string; readonly params: object; readonly check: string }) => Promise<{
    readonly values: SetUpState;
    /** The returned values that reports mask. */
    readonly secrets: readonly string[];
  }>;
  readonly lacks: (state: string, status: number) => boolean;
  readonly helpFor: (state: string, params: object) => string;
}

/** Creates the states of a server at the URL of its states, as `catalogue` describes them. */
export function createRpcStates(
  url: string,
  catalogue: StatesCatalogue,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
): RpcStates {
  const client = createStatesClient(url, { ...limits, answer: setupAnswer(catalogue) });
  const names = secretFields(credentialFields({}));
  return {
    setUp: async ({ state, params, check }) => {
      const outcome = await client.setUp([{ state, params: { ...params } }], check);
      requireTypes(catalogue, state, outcome.values);
      const { values, organization, credentials } = outcome;
      const secrets = stateSecrets(outcome, names, catalogue["x-states"][state]?.values);
      return { values: { ...values, organization, credentials }, secrets };
    },
    lacks: (state, status) => lacksState(catalogue, state, status),
    helpFor: (state, params) => stateHelp(catalogue, { state, params }),
  };
}
