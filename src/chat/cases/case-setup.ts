import { callerName, isOutsider } from "../../contract/calls.js";
import type { Case } from "../../contract/rest/cases.js";
import { secretFields } from "../../contract/rest/conventions.js";
import type { Schema } from "../../contract/rest/document.js";
import { stranger } from "../../contract/rest/security.js";
import { stateSecrets } from "../../verify/states/callers.js";
import { requireTypes } from "../../verify/states/require-types.js";
import {
  type SetupCall,
  StateSetupError,
  type StatesClient,
  type StatesOutcome,
} from "../../verify/states/states-client.js";
import type { CallerCredentials } from "../contract.js";
import { loadStatesCatalogue } from "../contract.js";
import { injectValues } from "./inject-values.js";

/** A case with the values that its provider states returned. */
export interface CaseSetup {
  readonly testCase: Case;
  /** Omitted if the caller sends none. */
  readonly credentials?: Pick<CallerCredentials, "email" | "api_key">;
  /** The credentials of all callers, by name. */
  readonly accounts: Readonly<Record<string, CallerCredentials>>;
  /** The keys of all callers, and device tokens. */
  readonly secrets: readonly string[];
  /** The calls that set up the states. */
  readonly setups: readonly SetupCall[];
}

const fields = { username: "email", password: "api_key", token: "api_key", key: "api_key" };
const unknown = { email: stranger.name, api_key: stranger.secret };
const noOutcome = { credentials: {}, values: {}, calls: [] };

/** Whether a case needs provider states: it starts from some, or its caller has an account. */
export function needsStates({ given, as }: Pick<Case, "given" | "as">): boolean {
  return given.length > 0 || !isOutsider(as);
}

/**
 * Sets up the states of a case, if it needs any. Rejects with a `StateSetupError` if a setup fails or does not return what the case
 * needs.
 */
export async function setUpCase(testCase: Case, states: StatesClient | undefined): Promise<CaseSetup> {
  const isNeeded = needsStates(testCase);
  if (isNeeded && states === undefined) throw new Error("The case needs provider states");
  const outcome =
    isNeeded && states !== undefined
      ? await states.setUp(testCase.given, `case ${testCase.operationId}/${testCase.name}`)
      : noOutcome;
  if (isNeeded) await requireValues(testCase, outcome, isOutsider(testCase.as) ? [] : [callerName(testCase.as)]);
  const accounts = outcome.credentials as Readonly<Record<string, CallerCredentials>>;
  const credentials = callerName(testCase.as) === "stranger" ? unknown : accounts[callerName(testCase.as)];
  return {
    testCase: injectValues(testCase, outcome),
    accounts,
    secrets: stateSecrets(outcome, secretFields(fields)),
    setups: outcome.calls ?? [],
    credentials,
  };
}

/**
 * Rejects with a `StateSetupError` if the states of a case did not return what the case needs: the required values with their types, ids
 * for its parameters, the values that its `bind` names, and the credentials of `callers`. Without these, the request would be a
 * different one, and its response would say nothing about the server.
 */
export async function requireValues(
  { given, bind, request }: Case,
  { values, credentials }: Pick<StatesOutcome, "values" | "credentials">,
  callers: readonly string[],
): Promise<void> {
  const catalogue = await loadStatesCatalogue();
  const { "x-states": states } = catalogue;
  const sources = leaves(bind);
  const bound = sources.map((source) => source.split(".", 1)[0] ?? "");
  const sent = new Set([...Object.keys({ ...request.path, ...request.query, ...request.body }), ...bound]);
  for (const { state, rename } of given) {
    const { required = [], properties = {} } = states[state]?.values ?? {};
    const missing = Object.entries<Schema>(properties)
      .filter(([name, schema]) => {
        const renamed = rename[name] ?? name;
        const isNeeded =
          required.includes(name) || bound.includes(renamed) || (schema.type === "integer" && sent.has(renamed));
        return isNeeded && values[renamed] === undefined;
      })
      .map(([name]) => name);
    if (missing.length > 0) throw incompleteAnswer(state, `the answer has no ${missing.join(", ")}`);
    requireTypes(catalogue, state, values, (name) => rename[name] ?? name);
  }
  const named = sources.flatMap((source) => /^credentials\.(\w+)\./.exec(source)?.[1] ?? []);
  const absent = [...new Set([...callers, ...named])].filter((name) => !Object.hasOwn(credentials, name));
  if (absent.length > 0) {
    throw incompleteAnswer(given[0]?.state ?? "organization", `the answer has no credentials of ${absent.join(", ")}`);
  }
}

function incompleteAnswer(state: string, reason: string): StateSetupError {
  return new StateSetupError(state, reason, { status: 200 });
}

/** Lists the texts in a value. */
function leaves(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(leaves);
  return [String(value)];
}
