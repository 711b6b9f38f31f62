import type { GivenState } from "../../contract/document.js";

/** Who makes calls in an organization that was set up. */
export interface CallerCredentials {
  readonly user_id: number;
  readonly email: string;
  readonly api_key: string;
}

/** What the provider states of one test have led to. */
export interface StatesOutcome {
  /** Names the organization; its form is the server's own. */
  readonly organization: string;
  /** The callers of the organization, by name. */
  readonly credentials: Readonly<Record<string, CallerCredentials>>;
  /** The values that the states returned, under the names that the test gave them. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Puts a server into provider states. */
export interface StatesClient {
  /**
   * Sets states up, one after the other, in one fresh organization; without states, an organization with its callers.
   * Rejects with a `StateSetupError`.
   */
  readonly setUp: (given: readonly GivenState[]) => Promise<StatesOutcome>;
}

/** A provider state could not be set up, or the answer was not what `openapi/states.yaml` says. */
export class StateSetupError extends Error {
  override readonly name = "StateSetupError";
  readonly state: string;
  /** Left out when there was no answer. */
  readonly status?: number;

  constructor(state: string, reason: string, options: { status?: number; cause?: unknown } = {}) {
    super(`Provider state ${state} could not be set up: ${reason}`, "cause" in options ? options : {});
    this.state = state;
    if (options.status !== undefined) this.status = options.status;
  }
}

/** How long a setup may take. */
const timeoutMs = 30_000;

/**
 * Creates a client of the provider states of a server. `url` is where they are served, such as `http://127.0.0.1:4011`, with or
 * without `/states` at its end. Throws a `TypeError` when it is no http or https URL.
 */
export function createStatesClient(url: string): StatesClient {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) {
    throw new TypeError("The URL of the provider states must be an http or https URL such as http://127.0.0.1:4011");
  }
  const endpoint = `${url.replace(/\/+$/, "").replace(/\/states$/, "")}/states`;

  return {
    setUp: async (given) => {
      let organization: string | undefined;
      const credentials: Record<string, CallerCredentials> = {};
      const values: Record<string, unknown> = {};
      for (const { state, params = {}, rename = {} } of given.length === 0 ? [{ state: "organization" }] : given) {
        const answer = await post(endpoint, state, organization === undefined ? params : { ...params, organization });
        organization ??= answer.organization;
        Object.assign(credentials, answer.credentials);
        for (const [name, value] of Object.entries(answer.values)) {
          values[Object.hasOwn(rename, name) ? String(rename[name]) : name] = value;
        }
      }
      return { organization: organization ?? "", credentials, values };
    },
  };
}

async function post(endpoint: string, state: string, params: object): Promise<StatesOutcome> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(endpoint, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ state, params, action: "setup" }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = await response.text();
  } catch (cause) {
    throw new StateSetupError(state, `${endpoint} does not answer`, { cause });
  }
  const { status } = response;
  const body = parseObject(text);
  if (status !== 200) {
    const msg = typeof body?.msg === "string" ? body.msg : text.slice(0, 200);
    throw new StateSetupError(state, `status ${status}, ${JSON.stringify(msg)}`, { status });
  }
  const { organization, credentials, ...values } = body ?? {};
  if (typeof organization !== "string")
    throw new StateSetupError(state, "the answer names no organization", { status });
  if (!isCredentials(credentials)) {
    const reason = "the answer has no credentials with user_id, email and api_key of each caller";
    throw new StateSetupError(state, reason, { status });
  }
  return { organization, credentials, values };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCredentials(value: unknown): value is Record<string, CallerCredentials> {
  return (
    isObject(value) &&
    Object.values(value).every(
      (caller) =>
        isObject(caller) &&
        Number.isInteger(caller.user_id) &&
        typeof caller.email === "string" &&
        typeof caller.api_key === "string",
    )
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
