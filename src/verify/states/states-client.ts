import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "../../base/is-object.js";
import { jsonExcess, parseJson } from "../../base/parse-json.js";
import type { GivenState } from "../../contract/rest/document.js";
import type { SetupAnswer } from "../../contract/rest/states.js";
import { waitSeconds } from "../../http/retry-after.js";
import { excerpt, type Mask } from "../../judge/excerpt.js";
import type { HttpRequest, HttpResponse } from "../../judge/http-message.js";
import { createMask } from "../../judge/mask.js";
import { describeType, jsonText } from "../../judge/quote.js";
import { type CallAnswer, callHttp } from "../http/call-http.js";
import { describeCallError } from "../http/describe-call-error.js";
import { gatewayStatuses, isNotJson } from "../http/send-request.js";
import type { Pace } from "../pace.js";
import { defaultRunOptions } from "../run-options.js";
import type { Credentials } from "./callers.js";
import { statesEndpoint } from "./states-endpoint.js";

/** How many characters of a refusal an error quotes. */
const maxQuoteLength = 200;

/** The result of setting up the provider states of one check. */
export interface StatesOutcome {
  /** Names the organization in further setups. Opaque; empty if the answer has none. */
  readonly organization: string;
  /** The callers of the organization, by name. */
  readonly credentials: Readonly<Record<string, Credentials>>;
  /** The values that the states returned, renamed as the check asks. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The setup calls. Their responses contain keys. */
  readonly calls?: readonly SetupCall[];
}

/** A call that set up a state. */
export interface SetupCall {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
}

/** Puts a server into provider states. */
export interface StatesClient {
  /**
   * Sets up states one after the other in a fresh organization. `check`
   * is the id of the check that needs them, which the server may log.
   * Rejects with a `StateSetupError`, or with the signal's reason once that aborts.
   */
  readonly setUp: (given: readonly GivenState[], check?: string) => Promise<StatesOutcome>;
}

/** A provider state could not be set up, or its response is not what `states.yaml` describes. */
export class StateSetupError extends Error {
  override readonly name = "StateSetupError";
  readonly state: string;
  /** Omitted if there was no response of the server. */
  readonly status?: number;
  /** Whether a gateway answered instead of the server. */
  readonly isOfGateway: boolean;

  constructor(
    state: string,
    reason: string,
    { status, isOfGateway = false }: { readonly status?: number; readonly isOfGateway?: boolean } = {},
  ) {
    super(`Provider state ${state} could not be set up: ${reason}`);
    this.state = state;
    this.isOfGateway = isOfGateway;
    if (status !== undefined) this.status = status;
  }
}

/** Options of a states client. */
export interface StatesClientOptions {
  /** How long all states of one check together may take, in milliseconds. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** Aborts running setups. */
  readonly signal?: AbortSignal;
  /** The pace of the run, if it has one. */
  readonly pace?: Pace;
  /** The URL of the API. */
  readonly url?: string;
  /** Headers of every request to the origin of the API, which may be credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the answers have. Defaults to nothing. */
  readonly answer?: SetupAnswer;
  /** The fields of credentials that are secret. Defaults to none. */
  readonly secretFields?: readonly string[];
  /** Masks the secrets of earlier setups in what an error quotes. Defaults to those of secret fields. */
  readonly mask?: Mask;
}

/**
 * Creates a client of the provider states of a server. `url` is their URL, such as `http://127.0.0.1:4011`, with or without a trailing
 * `/states`. Throws a `CouldNotRunError` if it is not an http or https URL, or holds credentials.
 */
export function createStatesClient(url: string, options: StatesClientOptions = {}): StatesClient {
  const { timeoutMs = defaultRunOptions.timeoutMs, signal, pace, mask = (text) => text } = options;
  const { answer: wanted = { hasOrganization: false, credentials: {} }, secretFields: secretNames = [] } = options;
  const endpoint = statesEndpoint(url);
  const isSameOrigin = options.url !== undefined && new URL(options.url).origin === new URL(endpoint).origin;
  const headers = isSameOrigin ? (options.headers ?? {}) : {};

  return {
    setUp: async (given, check) => {
      let organization: string | undefined;
      const credentials: Record<string, Credentials> = {};
      const values: Record<string, unknown> = {};
      const calls: SetupCall[] = [];
      const limit = { ends: performance.now() + timeoutMs, timeoutMs, signal, pace, headers };
      for (const { state, params = {}, rename = {} } of given) {
        const all = organization === undefined ? params : { ...params, organization };
        const secrets = secretNames.flatMap((name) => Object.values(credentials).map((one) => String(one[name] ?? "")));
        const hide = (text: string) => createMask(secrets)(mask(text));
        const answer = await post(endpoint, { state, params: all, check }, limit, hide, wanted);
        organization ??= answer.organization === "" ? undefined : answer.organization;
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

/** The time limit of all setups of one check. */
interface TimeLimit {
  /** In milliseconds on the clock of `performance`. */
  readonly ends: number;
  /** The whole time limit, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly pace: Pace | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

async function post(
  endpoint: string,
  { state, params, check }: { readonly state: string; readonly params: object; readonly check: string | undefined },
  limit: TimeLimit,
  mask: Mask,
  wanted: SetupAnswer,
): Promise<StatesOutcome> {
  const request = {
    method: "POST",
    url: endpoint,
    headers: { ...limit.headers, "Content-Type": "application/json" },
    body: JSON.stringify({ state, params, action: "setup", check }),
  };
  const { status, headers, bytes, fault } = await sendUntilAccepted(request, limit).catch((error: unknown) => {
    limit.signal?.throwIfAborted();
    throw new StateSetupError(state, `${endpoint} does not answer: ${describeCallError(error, limit.timeoutMs)}`);
  });
  if (gatewayStatuses.has(status) && isNotJson({ contentType: headers.get("Content-Type") ?? undefined })) {
    const reason = `a gateway answered ${status} instead of ${endpoint}; a setup writes, so it was not repeated`;
    throw new StateSetupError(state, reason, { isOfGateway: true });
  }
  if (fault !== undefined) throw new StateSetupError(state, mask(fault), { status });
  const text = bytes.toString("utf8");
  const excess = jsonExcess(text);
  if (excess !== undefined) throw new StateSetupError(state, excess, { status });
  const body = parseObject(text);
  if (status !== 200) {
    const msg = typeof body?.msg === "string" ? body.msg : text;
    throw new StateSetupError(state, `status ${status}, ${excerpt(jsonText(msg), maxQuoteLength, mask)}`, { status });
  }
  if (body === undefined) {
    const reason = `the answer is not a JSON object: ${excerpt(jsonText(text), maxQuoteLength, mask)}`;
    throw new StateSetupError(state, reason, { status });
  }
  const { organization = wanted.hasOrganization ? undefined : "", ...rest } = body;
  const { credentials = Object.keys(wanted.credentials).length === 0 ? {} : undefined, ...values } = rest;
  if (typeof organization !== "string") {
    const reason =
      organization === undefined
        ? "the answer has no organization"
        : `organization must be a string, but is ${describeType(organization)}`;
    throw new StateSetupError(state, reason, { status });
  }
  const [problem] = credentialProblems(credentials, wanted);
  if (problem !== undefined) throw new StateSetupError(state, problem, { status });
  const response = { status, headers: { "Content-Type": "application/json" }, text };
  return {
    organization,
    credentials: credentials as Record<string, Credentials>,
    values,
    calls: [{ request, response }],
  };
}

/** Sends a request, and repeats it as long as the server answers 429 and time remains. */
async function sendUntilAccepted(
  { url, method, headers, body }: HttpRequest & { readonly body: string },
  { ends, signal, pace }: TimeLimit,
): Promise<CallAnswer> {
  for (;;) {
    const timeoutMs = Math.max(Math.ceil(ends - performance.now()), 0);
    const response = await callHttp({ url, method, headers, body }, { timeoutMs, signal, pace });
    const waitMs = waitSeconds(response.headers) * 1000;
    if (response.status !== 429 || performance.now() + waitMs >= ends) return response;
    await delay(waitMs, undefined, signal === undefined ? {} : { signal });
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** Describes each wrong field of credentials. Shows no value, since it may be a key. */
function credentialProblems(credentials: unknown, { credentials: types }: SetupAnswer): string[] {
  const names = Object.keys(types);
  const list = [names.slice(0, -1).join(", "), names.at(-1)].filter((part) => part !== "").join(" and ");
  if (!isObject(credentials))
    return [`the answer has no credentials${list === "" ? "" : ` with ${list} of each caller`}`];
  return Object.entries(credentials).flatMap(([caller, given]) => {
    if (!isObject(given)) return [`credentials.${caller} must be an object, but is ${describeType(given)}`];
    return Object.entries(types).flatMap(([name, type]) => {
      const [wanted, got] = [
        `${["array", "integer", "object"].includes(type) ? "an" : "a"} ${type}`,
        describeType(given[name]),
      ];
      return got === wanted ? [] : [`credentials.${caller}.${name} must be ${wanted}, but is ${got}`];
    });
  });
}
