import { replacedParameters } from "../../../src/verify/chat/states/replaced-parameters.js";
import type { Credentials } from "./build-request.js";
import type { CaseData } from "./console-data.js";
import { send } from "./send.js";

/** What the provider states of a case returned: who calls, and the parameters that get other values. */
export interface SetUp {
  readonly credentials: Credentials;
  readonly replaced: Readonly<Record<string, unknown>>;
}

/** The situation of the case could not be set up. The message says why. */
export class SetUpError extends Error {
  override readonly name = "SetUpError";
}

interface StateAnswer {
  readonly organization?: string;
  readonly credentials?: Readonly<Record<string, { readonly email: string; readonly api_key: string }>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * Sets up the provider states of a case in an organization of its own, with `POST /states` (openapi/states.yaml). Rejects with a
 * `SetUpError`.
 */
export async function setUpStates(server: string, testCase: CaseData, signal: AbortSignal): Promise<SetUp> {
  const accounts: Record<string, { readonly email: string; readonly api_key: string }> = {};
  const values: Record<string, unknown> = {};
  let organization: string | undefined;
  const given = testCase.given.length === 0 ? [{ state: "organization", params: {}, rename: {} }] : testCase.given;
  for (const { state, params, rename } of given) {
    const answer = await setUp(
      server,
      state,
      organization === undefined ? params : { ...params, organization },
      signal,
    );
    organization ??= answer.organization;
    Object.assign(accounts, answer.credentials);
    for (const [name, value] of Object.entries(answer.values ?? {})) {
      values[Object.hasOwn(rename, name) ? String(rename[name]) : name] = value;
    }
  }
  return {
    credentials: credentialsOf(testCase.as, accounts),
    replaced: replacedParameters(testCase, { values, credentials: accounts as never }),
  };
}

async function setUp(server: string, state: string, params: object, signal: AbortSignal): Promise<StateAnswer> {
  const outcome = await send(
    {
      method: "POST",
      url: `${server}/states`,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ state, params, action: "setup" }),
    },
    signal,
  );
  if (outcome.kind === "failure") throw new SetUpError(outcome.reason);
  const { status, text } = outcome;
  if (status === 200) return JSON.parse(text) as StateAnswer;
  const hint = status === 404 ? " Start the server with --states." : "";
  throw new SetUpError(`The server answered ${status} to the setup of ${state}.${hint}`);
}

/** The credentials of the caller of a case. `nobody` has none, and no server knows those of `stranger`. */
export function credentialsOf(
  caller: string,
  accounts: Readonly<Record<string, { readonly email: string; readonly api_key: string }>>,
): Credentials {
  if (caller === "nobody") return { email: "", apiKey: "" };
  const { email, api_key: apiKey } = accounts[caller] ?? {
    email: "stranger@stranger.invalid",
    api_key: "x".repeat(32),
  };
  return { email, apiKey };
}
