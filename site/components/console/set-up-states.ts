import { parseJson } from "../../../src/base/parse-json.js";
import { replacedParameters } from "../../../src/chat/cases/replaced-parameters.js";
import { callerName } from "../../../src/contract/calls.js";
import type { Credentials } from "./build-request.js";
import type { CaseData } from "./console-data.js";
import { send } from "./send.js";

/** The result of setting up a case: the credentials of its caller, and the parameters that get other values. */
export interface SetUp {
  readonly credentials: Credentials;
  readonly replaced: Readonly<Record<string, unknown>>;
}

/** The provider states could not be set up. The message says why. */
export class SetUpError extends Error {
  override readonly name = "SetUpError";
}

/** The accounts of an organization by the name of the caller. */
type Accounts = Readonly<Record<string, Credentials>>;

interface StateAnswer {
  readonly organization: string;
  readonly accounts: Accounts;
  readonly values: Readonly<Record<string, unknown>>;
}

/**
 * Sets up the provider states of a case in an organization of its own, with `POST /states` (openapi/states.yaml). Rejects with a
 * `SetUpError`.
 */
export async function setUpStates(server: string, testCase: CaseData, signal: AbortSignal): Promise<SetUp> {
  const accounts: Record<string, Credentials> = {};
  const values: Record<string, unknown> = {};
  // The raw credentials, to which `bind` may refer.
  const credentials: Record<string, unknown> = {};
  let organization: string | undefined;
  const given = testCase.given.length === 0 ? [{ state: "organization", params: {}, rename: {} }] : testCase.given;
  for (const { state, params, rename } of given) {
    const all = organization === undefined ? params : { ...params, organization };
    const answer = await setUp(server, state, all, signal);
    organization ??= answer.organization;
    Object.assign(accounts, answer.accounts);
    Object.assign(credentials, answer.values.credentials);
    for (const [name, value] of Object.entries(answer.values)) {
      if (name !== "credentials") values[Object.hasOwn(rename, name) ? String(rename[name]) : name] = value;
    }
  }
  return {
    credentials: credentialsOf(callerName(testCase.as), accounts),
    replaced: replacedParameters(testCase, { values, credentials } as Parameters<typeof replacedParameters>[1]),
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
  if (status !== 200) {
    const hint = status === 404 ? " Start the server with --states." : "";
    throw new SetUpError(`The server answered ${status} to the setup of ${state}.${hint}`);
  }
  const { organization, ...values } = objectOf(parseJson(text));
  if (typeof organization !== "string") throw new SetUpError(`The server answered ${state} without an organization.`);
  return { organization, accounts: readAccounts(values.credentials), values };
}

function readAccounts(credentials: unknown): Accounts {
  return Object.fromEntries(
    Object.entries(objectOf(credentials)).map(([caller, account]) => {
      const { email, api_key: apiKey } = objectOf(account);
      return [caller, { email: String(email), apiKey: String(apiKey) }];
    }),
  );
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** The credentials of the caller of a case. `nobody` has none, and no server knows those of `stranger`. */
function credentialsOf(caller: string, accounts: Accounts): Credentials {
  if (caller === "nobody") return { email: "", apiKey: "" };
  return accounts[caller] ?? { email: "stranger@stranger.invalid", apiKey: "x".repeat(32) };
}
