import type { GivenState } from "../../contract/document.js";
import { createMask } from "../mask.js";
import type { HttpRequest } from "./curl-line.js";
import type { HttpResponse } from "./describe-exchange.js";
import { excerpt, type Mask } from "./excerpt.js";
import { jsonText } from "./json-text.js";
import { readText } from "./read-text.js";
import { statesEndpoint } from "./states-endpoint.js";
import { whyUnanswered } from "./why-unanswered.js";

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
  /** The calls that set them up, with keys in their answers. */
  readonly calls?: readonly SetupCall[];
}

/** A call that set a state up. */
export interface SetupCall {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

/** Puts a server into provider states. */
export interface StatesClient {
  /**
   * Sets states up, one after the other, in one fresh organization; without states, an organization with its callers.
   * Rejects with a `StateSetupError`, and with the reason of the signal when that is aborted.
   */
  readonly setUp: (given: readonly GivenState[]) => Promise<StatesOutcome>;
}

/** A provider state could not be set up, or the answer was not what `openapi/states.yaml` says. */
export class StateSetupError extends Error {
  override readonly name = "StateSetupError";
  readonly state: string;
  /** Left out when there was no answer. */
  readonly status?: number;

  constructor(state: string, reason: string, { status }: { readonly status?: number } = {}) {
    super(`Provider state ${state} could not be set up: ${reason}`);
    this.state = state;
    if (status !== undefined) this.status = status;
  }
}

/** How states are set up. */
export interface StatesClientOptions {
  /** How long the states of one test may take together, in milliseconds. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** Ends setups that are under way. */
  readonly signal?: AbortSignal;
}

/** Answers to setups are far smaller. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Creates a client of the provider states of a server. `url` is where they are served, such as `http://127.0.0.1:4011`, with or
 * without `/states` at its end. Throws a `CouldNotRunError` when it is no http or https URL, or holds credentials.
 */
export function createStatesClient(
  url: string,
  { timeoutMs = 30_000, signal }: StatesClientOptions = {},
): StatesClient {
  const endpoint = statesEndpoint(url);

  return {
    setUp: async (given) => {
      let organization: string | undefined;
      const credentials: Record<string, CallerCredentials> = {};
      const values: Record<string, unknown> = {};
      const calls: SetupCall[] = [];
      const limit = { ends: performance.now() + timeoutMs, timeoutMs, signal };
      for (const { state, params = {}, rename = {} } of given.length === 0 ? [{ state: "organization" }] : given) {
        const all = organization === undefined ? params : { ...params, organization };
        const mask = (text: string) => createMask(Object.values(credentials).map(({ api_key }) => api_key))(text);
        const answer = await post(endpoint, { state, params: all }, limit, mask);
        organization ??= answer.organization;
        calls.push(...(answer.calls ?? []));
        Object.assign(credentials, answer.credentials);
        for (const [name, value] of Object.entries(answer.values)) {
          values[Object.hasOwn(rename, name) ? String(rename[name]) : name] = value;
        }
      }
      return { organization: organization ?? "", credentials, values, calls };
    },
  };
}

/** When setups end. */
interface TimeLimit {
  /** On the clock of `performance`. */
  readonly ends: number;
  /** What was allowed in all. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

async function post(
  endpoint: string,
  { state, params }: { readonly state: string; readonly params: object },
  { ends, timeoutMs, signal }: TimeLimit,
  mask: Mask,
): Promise<StatesOutcome> {
  const timeout = AbortSignal.timeout(Math.max(Math.ceil(ends - performance.now()), 0));
  const request = {
    method: "POST",
    url: endpoint,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ state, params, action: "setup" }),
  };
  let status: number;
  let text: string;
  try {
    const response = await fetch(endpoint, {
      ...request,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    status = response.status;
    text = await readText(response, mostBytes);
  } catch (error) {
    signal?.throwIfAborted();
    throw new StateSetupError(state, `${endpoint} does not answer: ${whyUnanswered(error, timeoutMs)}`);
  }
  const body = parseObject(text);
  if (status !== 200) {
    const msg = typeof body?.msg === "string" ? body.msg : text;
    throw new StateSetupError(state, `status ${status}, ${excerpt(jsonText(msg), 200, mask)}`, { status });
  }
  if (body === undefined) {
    const reason = `the answer is no JSON object: ${excerpt(jsonText(text), 200, mask)}`;
    throw new StateSetupError(state, reason, { status });
  }
  const { organization, credentials, ...values } = body;
  if (typeof organization !== "string")
    throw new StateSetupError(state, "the answer names no organization", { status });
  if (!isCredentials(credentials)) {
    const reason = "the answer has no credentials with user_id, email and api_key of each caller";
    throw new StateSetupError(state, reason, { status });
  }
  const response = { status, headers: { "Content-Type": "application/json" }, text };
  return { organization, credentials, values, calls: [{ request, response }] };
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
