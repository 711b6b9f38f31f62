import type { Caller, CallStep } from "../../contract/check.js";
import { parseJson } from "../../parse-json.js";
import { parseUrl } from "../../parse-url.js";
import type { Exchange as ReportedExchange } from "../check.js";
import type { Mask } from "../excerpt.js";
import { createMask } from "../mask.js";
import { bytesOf } from "../match/bytes.js";
import { MissingValueError, resolveValue, type Scope } from "../match/expressions.js";
import { type Exchange, NotApplicableError, type Session, type SetUpState } from "../run/session.js";
import { describeExchange, withKeyNote } from "./exchange/describe-exchange.js";
import type { HttpRequest, HttpResponse } from "./exchange/http-message.js";
import { isNestedDeeply, nestedTooDeeply } from "./exchange/nesting.js";
import { type ReadyRequest, type SendLimits, sendRequest } from "./exchange/send-request.js";
import { compareWithContract } from "./judge/compare-with-contract.js";
import { isRefusal } from "./judge/refusal.js";
import type { ResponseValidators } from "./judge/validators.js";
import type { ProbedOperation } from "./probes/probed-operation.js";
import { serializeRequest, wireRequest } from "./probes/wire-request.js";
import { basicCredentials, findCredentials, isOutsider, stateSecrets } from "./states/callers.js";
import { isOptionalValue, lacksState, stateHelp } from "./states/catalogue.js";
import { requireTypes } from "./states/require-types.js";
import { type CallerCredentials, createStatesClient } from "./states/states-client.js";

/** The chat server under test, and the contract that it should keep. */
export interface ChatTarget extends SendLimits {
  /** The URL of the API, without `/api/v1`. */
  readonly url: string;
  /** The URL of the provider states. Undefined if there are none. */
  readonly statesUrl?: string;
  readonly operations: ReadonlyMap<string, ProbedOperation>;
  readonly validators: ResponseValidators;
}

/** A request, and its response once there is one. */
interface Sent {
  readonly request: HttpRequest;
  response?: HttpResponse;
  /** The caller whose key was sent. */
  readonly caller?: string;
}

/** Creates the session of one check, whose id the provider states get to log. */
export function createChatSession(target: ChatTarget, check: string): Session {
  const { url, statesUrl, operations, validators } = target;
  const secrets: string[] = [];
  let maskKnown = createMask(secrets);
  const mask = (text: string) => maskKnown(text);
  const exchanges: Sent[] = [];
  const states = statesUrl === undefined ? undefined : createStatesClient(statesUrl, { ...target, mask });
  let organization: string | undefined;
  let credentials: Readonly<Record<string, CallerCredentials>> = {};

  function operationOf({ call }: CallStep): ProbedOperation | undefined {
    if (call === undefined) return undefined;
    const found = operations.get(call);
    if (found === undefined) throw new Error(`The contract has no operation ${call}`);
    return found;
  }

  function authorizationOf(as: Caller, scope: Scope): string | undefined {
    if (typeof as !== "string") {
      const { email, api_key: key } = resolveValue(as, scope) as { email: string; api_key: string };
      return basicCredentials(email, key);
    }
    if (!isOutsider(as) && !Object.hasOwn(credentials, as)) throw new MissingValueError(`credentials.${as}`);
    const caller = findCredentials(as, credentials);
    return caller && basicCredentials(caller.email, caller.api_key);
  }

  function requestOf(step: CallStep, scope: Scope): ReadyRequest {
    const authorization = authorizationOf(step.as, scope);
    const headers = headersOf(step, scope);
    const operation = operationOf(step);
    if (operation !== undefined) {
      const wire = wireRequest(operation, resolveValue(step.with, scope) as Readonly<Record<string, unknown>>);
      const request = serializeRequest({ ...wire, ...(authorization === undefined ? {} : { authorization }) }, url);
      return { ...request, headers: { ...request.headers, ...headers } };
    }
    const { method = "GET", url: place = "", body } = step.request ?? {};
    const text = String(resolveValue(place, scope));
    const target = parseUrl(text, url);
    if (target === undefined) throw new NotApplicableError(`${JSON.stringify(text)} is not a URL`);
    if (target.origin !== new URL(url).origin)
      throw new NotApplicableError("the URL is at an origin other than that of the API");
    const own = authorization === undefined ? {} : { Authorization: authorization };
    return {
      method,
      url: target.href,
      headers: { ...own, ...headers },
      ...(body === undefined ? {} : { body: `${bytesOf(body).length} bytes`, bytes: bytesOf(body) }),
    };
  }

  return {
    hasStates: statesUrl !== undefined,
    mask,
    setUp: async ({ state, params, fresh }): Promise<SetUpState> => {
      if (states === undefined) throw new Error("The check needs provider states");
      const own = fresh || organization === undefined ? {} : { organization };
      const outcome = await states.setUp([{ state, params: { ...params, ...own } }], check);
      secrets.push(...stateSecrets(outcome));
      maskKnown = createMask(secrets);
      exchanges.push(...(outcome.calls ?? []));
      await requireTypes(state, outcome.values);
      if (!fresh) {
        organization = outcome.organization;
        credentials = { ...credentials, ...outcome.credentials };
      }
      return { ...outcome.values, organization: outcome.organization, credentials: outcome.credentials };
    },
    call: async (step, scope): Promise<Exchange> => {
      const request = requestOf(step, scope);
      const isCaller = typeof step.as === "string" && !isOutsider(step.as) && "Authorization" in request.headers;
      const entry: Sent = isCaller ? { request, caller: String(step.as) } : { request };
      exchanges.push(entry);
      const response = await sendRequest(request, target);
      const { status, text, headers } = response;
      entry.response = { status, headers: Object.fromEntries(headers), text };
      const operation = operationOf(step);
      const body = parseJson(text);
      const isTooDeep = isNestedDeeply(body);
      return {
        ...response,
        ...(isTooDeep ? { fault: response.fault ?? nestedTooDeeply } : {}),
        bytes: response.bytes ?? Buffer.from(text),
        body: isTooDeep ? undefined : body,
        isRefusal: isRefusal(response),
        contractProblems: () =>
          operation === undefined
            ? []
            : compareWithContract(operation.document, operation.operationId, response, validators, mask),
      };
    },
    mayLack: (state, value) => isOptionalValue(state, `/${value}`),
    lacks: (state, status) => lacksState({ state, status }),
    helpFor: (state, params) => stateHelp({ state, params }),
    trace: () => Promise.all(exchanges.map((sent) => describeSent(sent, mask))),
  };
}

function headersOf({ headers = {} }: CallStep, scope: Scope): Record<string, string> {
  const resolved = resolveValue(headers, scope) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(resolved).map(([name, value]) => [name, String(value)]));
}

async function describeSent({ request, response, caller }: Sent, mask: Mask): Promise<ReportedExchange> {
  const exchange = await describeExchange(request, response, mask);
  return caller === undefined ? exchange : withKeyNote(exchange, caller);
}
