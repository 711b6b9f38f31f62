import { setTimeout as delay } from "node:timers/promises";
import { retryAfterSeconds } from "../../chat/client/retry.js";
import type { GivenState } from "../../contract/chat/document.js";
import { parseJson } from "../../parse-json.js";
import { maxAnswerBytes } from "../answer-limits.js";
import { excerpt, type Mask } from "../excerpt.js";
import { createMask } from "../mask.js";
import { redirectFault } from "../redirect-fault.js";
import { defaultRunOptions } from "../run-options.js";
import type { HttpRequest } from "./curl-line.js";
import type { HttpResponse } from "./describe-exchange.js";
import { jsonText } from "./json-text.js";
import { kindOf } from "./kind-of.js";
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

/**
 * Creates a client of the provider states of a server. `url` is where they are served, such as `http://127.0.0.1:4011`, with or
 * without `/states` at its end. Throws a `CouldNotRunError` when it is no http or https URL, or holds credentials.
 */
export function createStatesClient(
  url: string,
  { timeoutMs = defaultRunOptions.timeoutMs, signal }: StatesClientOptions = {},
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
  limit: TimeLimit,
  mask: Mask,
): Promise<StatesOutcome> {
  const request = {
    method: "POST",
    url: endpoint,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ state, params, action: "setup" }),
  };
  const { status, text, fault } = await sendUntilTaken(request, limit).catch((error: unknown) => {
    limit.signal?.throwIfAborted();
    throw new StateSetupError(state, `${endpoint} does not answer: ${whyUnanswered(error, limit.timeoutMs)}`);
  });
  if (fault !== undefined) throw new StateSetupError(state, mask(fault), { status });
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
  if (typeof organization !== "string") {
    const reason =
      organization === undefined
        ? "the answer names no organization"
        : `organization has to be a string, and is ${kindOf(organization)}`;
    throw new StateSetupError(state, reason, { status });
  }
  if (!isCredentials(credentials)) throw new StateSetupError(state, credentialsProblem(credentials), { status });
  const response = { status, headers: { "Content-Type": "application/json" }, text };
  return { organization, credentials, values, calls: [{ request, response }] };
}

/** Sends a request, and again as long as the server asks for patience (429) and there is time. */
async function sendUntilTaken(
  request: HttpRequest & { readonly body: string },
  { ends, signal }: TimeLimit,
): Promise<{ readonly status: number; readonly text: string; readonly fault: string | undefined }> {
  for (;;) {
    const timeout = AbortSignal.timeout(Math.max(Math.ceil(ends - performance.now()), 0));
    const response = await fetch(request.url, {
      ...request,
      redirect: "manual",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const text = await readText(response, maxAnswerBytes);
    const waitMs = (retryAfterSeconds(response.headers) ?? 1) * 1000;
    const { status, headers } = response;
    if (status !== 429 || performance.now() + waitMs >= ends) {
      return { status, text, fault: redirectFault({ status, location: headers.get("Location") }, request.url) };
    }
    await delay(waitMs, undefined, signal === undefined ? {} : { signal });
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

const credentialKinds = { user_id: "an integer", email: "a string", api_key: "a string" } as const;

function isCredentials(value: unknown): value is Record<string, CallerCredentials> {
  return isObject(value) && problemsIn(value).length === 0;
}

function credentialsProblem(value: unknown): string {
  const [problem] = isObject(value) ? problemsIn(value) : [];
  return problem ?? "the answer has no credentials with user_id, email and api_key of each caller";
}

/** What is wrong with credentials. No value is shown, since it may be a key. */
function problemsIn(credentials: Record<string, unknown>): string[] {
  return Object.entries(credentials).flatMap(([caller, given]) =>
    Object.entries(credentialKinds).flatMap(([name, kind]) => {
      const got = kindOf(isObject(given) ? given[name] : undefined);
      return got === kind ? [] : [`credentials.${caller}.${name} has to be ${kind}, and is ${got}`];
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
