import { once } from "../../base/once.js";
import { jsonExcess, parseJson } from "../../base/parse-json.js";
import { parseUrl } from "../../base/parse-url.js";
import { expectsRefusal, isOutsider } from "../../contract/calls.js";
import type { Caller, CallStep } from "../../contract/check.js";
import { type CredentialFields, credentialFields } from "../../contract/rest/conventions.js";
import type { ContractDocument } from "../../contract/rest/document.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import {
  alternativeFor,
  documentLogin,
  hasLogin,
  type LoginScheme,
  loginFields,
  secretField,
  secretNames,
  secretPlaces,
} from "../../contract/rest/security.js";
import { baseState, type StatesCatalogue, setupAnswer } from "../../contract/rest/states.js";
import type { ResponseValidators } from "../../contract/rest/validator.js";
import { bytesOf } from "../../judge/bytes.js";
import { compareWithContract } from "../../judge/compare-with-contract.js";
import { departureOf } from "../../judge/departures.js";
import { describeExchange } from "../../judge/describe-exchange.js";
import type { Mask } from "../../judge/excerpt.js";
import type { Exchange, Unsure } from "../../judge/exchange.js";
import { resolveValue, type Scope } from "../../judge/expressions.js";
import type { HttpRequest, HttpResponse, ReceivedResponse } from "../../judge/http-message.js";
import { createMask } from "../../judge/mask.js";
import { readableBody } from "../../judge/readable-body.js";
import { isRefusal } from "../../judge/refusal.js";
import type { ReportedExchange } from "../../report/model/check-result.js";
import { findUnwritable } from "../../request/encode.js";
import { isSafe } from "../http/call-http.js";
import { encodeCall } from "../http/encode-call.js";
import { NoAnswerError, type RequestAbout } from "../http/no-answer-error.js";
import { sendCutRequest } from "../http/send-cut-request.js";
import { isNotJson, type ReadyRequest, type SendLimits, sendRequest } from "../http/send-request.js";
import { withLogin } from "../http/with-login.js";
import type { Creations } from "../run/creations.js";
import type { PresenceNotes } from "../run/presence-notes.js";
import { NotApplicableError, type Session, type SetUpState, type StateToSetUp } from "../run/session.js";
import { type Credentials, stateSecrets, unknownCredentials } from "../states/callers.js";
import { lacksState, stateHelp } from "../states/catalogue.js";
import { requireTypes } from "../states/require-types.js";
import { createStatesClient, StateSetupError } from "../states/states-client.js";
import { type Accounts, accountCredentials } from "./accounts.js";
import { createKnownValues, type KnownValues } from "./known-values.js";

/** The server under test, and the contract that it should keep. */
export interface RestTarget extends SendLimits {
  /** The URL of the API. */
  readonly url: string;
  readonly document: ContractDocument;
  readonly states: StatesCatalogue;
  /** The URL of the provider states. Undefined if there are none. */
  readonly statesUrl?: string;
  /** The callers of checks, if there are no provider states. */
  readonly accounts?: Accounts;
  /** What to mask besides the keys of callers. */
  readonly secrets?: readonly string[];
  readonly operations: ReadonlyMap<string, ProbedOperation>;
  readonly validators: ResponseValidators;
  /** What the calls say of the operations. */
  readonly notes?: PresenceNotes;
  /** Called for each response. */
  readonly onAnswer?: (request: ReadyRequest, tookMs: number, about: RequestAbout) => void;
  /** Better values than those of examples. */
  readonly known?: KnownValues;
  /** Whether the server has a newer feature level than the contract. Defaults to false. */
  readonly isNewer?: boolean;
  /** Notes what requests create. Undefined on a server where that does not matter. */
  readonly creations?: Creations;
  /** Whether the server carried out a write that it must refuse. Then it gets no other. Undefined if it may get any. */
  readonly refusals?: SentRefusals;
  /** Why a request must not leave, whatever asked for it. Undefined if it may. Defaults to that. */
  readonly refuse?: (method: string, url: string, isRaw: boolean) => string | undefined;
}

/** Writes that a server must refuse. */
export interface SentRefusals {
  areLost: boolean;
  /** The responses by what was sent, so that nothing of it is sent twice. */
  readonly responses: Map<string, Promise<ReceivedResponse>>;
}

/** The organization of a check, and what is known of it. */
interface Organization {
  name?: string;
  /** What the first provider state returned. */
  values?: Readonly<Record<string, unknown>>;
  credentials: Readonly<Record<string, Credentials>>;
  readonly secrets: string[];
  readonly setUps: Described[];
}

type Described = Parameters<typeof describeCall>[0];

/** Creates the session of one check, whose id the provider states get to log. */
export function createRestSession(target: RestTarget, check: string): Session {
  const { accounts = {}, secrets = [], document } = target;
  const fields = credentialFields(document);
  const credentials = Object.entries(accounts).map(([caller, account]) => [
    caller,
    accountCredentials(account, fields),
  ]);
  const keys = Object.values(accounts).map(({ secret }) => secret.reveal());
  const organization = { credentials: Object.fromEntries(credentials), secrets: [...keys, ...secrets], setUps: [] };
  return sessionIn(organization, target, check);
}

function sessionIn(organization: Organization, target: RestTarget, check: string): Session {
  const { url, statesUrl, accounts, headers: common = {}, operations, validators, notes, isNewer = false } = target;
  const { known = createKnownValues(operations.values()) } = target;
  const { document, states: catalogue } = target;
  const fields = credentialFields(document);
  const { secrets, setUps } = organization;
  const places = secretPlaces(document);
  let masked = { count: 0, mask: createMask([], places) };
  const mask = (text: string) => {
    for (const { token } of Object.values(accounts ?? {}))
      secrets.push(...(token?.all() ?? []).filter((one) => !secrets.includes(one)));
    if (secrets.length > masked.count) masked = { count: secrets.length, mask: createMask([...secrets], places) };
    return masked.mask(text);
  };
  const described: Described[] = [...setUps];
  const states =
    statesUrl === undefined
      ? undefined
      : createStatesClient(statesUrl, {
          ...target,
          answer: setupAnswer(catalogue),
          secretFields: secretNames(document),
          mask,
        });
  let mayHaveChanged = false;

  function operationOf({ call }: CallStep): ProbedOperation | undefined {
    if (call === undefined) return undefined;
    const found = operations.get(call);
    if (found === undefined) throw new Error(`The contract has no operation ${call}`);
    return found;
  }

  function credentialsOf(as: Caller, scope: Scope): Credentials | undefined {
    if (typeof as !== "string") return resolveValue(as, scope) as Credentials;
    if (as === "nobody") return undefined;
    if (as === "stranger") return unknownCredentials(fields);
    const account = accounts !== undefined && Object.hasOwn(accounts, as) ? accounts[as] : undefined;
    // A token may have been renewed.
    if (account?.token !== undefined) return accountCredentials(account, fields);
    const found = Object.hasOwn(organization.credentials, as) ? organization.credentials[as] : undefined;
    if (found !== undefined) return found;
    if (states === undefined) throw new NotApplicableError(`it needs the credentials of ${as}: give --account`);
    const reason = `the answer has no credentials of ${as}`;
    throw new StateSetupError(baseState(catalogue) ?? "", reason, { status: 200 });
  }

  /** Throws a `NotApplicableError` if a caller has no credentials of its own for a scheme. An account has the same for each. */
  function requireLogin({ as }: CallStep, login: readonly LoginScheme[], credentials: Credentials): void {
    if (accounts === undefined && login.every((one) => hasLogin(one, credentials, fields))) return;
    throw new NotApplicableError(`it needs credentials of ${as} for ${login.map(({ id }) => id).join(" and ")}`);
  }

  /** The request of a step. Throws a `NotApplicableError` if it must not leave. */
  function requestOf(step: CallStep, scope: Scope): { readonly request: ReadyRequest; readonly unsure?: Unsure } {
    const encoded = encodedRequest(step, scope);
    const { request } = encoded;
    const refusal = target.refuse?.(request.method, request.url, step.call === undefined);
    if (refusal !== undefined) throw new NotApplicableError(refusal);
    if (target.refusals?.areLost && mustBeRefused(step, request)) throw new NotApplicableError(refusalsLost);
    return encoded;
  }

  function encodedRequest(step: CallStep, scope: Scope): { readonly request: ReadyRequest; readonly unsure?: Unsure } {
    const credentials = credentialsOf(step.as, scope);
    const headers = headersOf(step, scope);
    const operation = operationOf(step);
    const logins = operation?.logins.length ? operation.logins : documentLogin(document).alternatives;
    const named = step.login?.flatMap((name) => logins.flat().find(({ id }) => id === name) ?? []);
    if (named !== undefined) requireLogin(step, named, credentials ?? {});
    const schemes = named ?? alternativeFor(logins, credentials ?? {}, fields);
    const send = (request: ReadyRequest): ReadyRequest => {
      const carrying = credentials === undefined ? request : withLogin(request, schemes, credentials, fields);
      return { ...carrying, headers: { ...without(common, step), ...carrying.headers, ...headers } };
    };
    if (operation !== undefined) {
      const resolved = resolveValue(step.with, scope) as Readonly<Record<string, unknown>>;
      const { values, unsure } = known.fill(operation, resolved, step.guesses, organization.values ?? {});
      const open = findUnwritable(operation.request, withoutTexts(values, step));
      if (open !== undefined)
        throw new NotApplicableError(
          `OpenAPI leaves open how ${open} is written: its value has lists or objects in it`,
        );
      return { request: send(encodeCall(operation, { ...step, with: values }, url)), unsure };
    }
    const { method = "GET", url: place = "", body } = step.request ?? {};
    const text = String(resolveValue(place, scope));
    const target = parseUrl(text, url);
    if (target === undefined) throw new NotApplicableError(`${JSON.stringify(text)} is not a URL`);
    if (target.origin !== new URL(url).origin)
      throw new NotApplicableError("the URL is at an origin other than that of the API");
    const sent = body === undefined ? {} : { body: `${bytesOf(body).length} bytes`, bytes: bytesOf(body) };
    return { request: send({ method, url: target.href, headers: {}, ...sent }) };
  }

  const secretName = secretField(documentLogin(document).schemes[0], fields);

  function noteOf({ caller }: Described): string | undefined {
    if (caller === undefined) return undefined;
    if (accounts !== undefined) return `*** is the key of the account of ${caller}`;
    return described.length > 1
      ? `*** is credentials.${caller}.${secretName} in the answer to POST /states; another setup has other ids`
      : undefined;
  }

  /** Whether a response is none of the operation, so that it comes from a gateway. */
  function isGateway(operation: ProbedOperation | undefined): (response: ReceivedResponse) => boolean {
    if (operation === undefined) return isNotJson;
    return (response) =>
      compareWithContract(operation.document, operation.operationId, response, validators, mask).length > 0;
  }

  return {
    hasStates: statesUrl !== undefined || accounts !== undefined,
    mask,
    isNewer,
    fork: () => sessionIn(organization, target, check),
    mayHaveChanged: () => mayHaveChanged,
    setUp: async ({ state, params, organization: where }): Promise<SetUpState> => {
      if (states === undefined && accounts !== undefined)
        return setUpWithAccounts(
          { state, params, organization: where },
          baseState(catalogue),
          organization.credentials,
          fields,
        );
      if (states === undefined) throw new Error("The check needs provider states");
      const name = typeof where === "object" ? where.name : where === "own" ? organization.name : undefined;
      const own = name === undefined ? {} : { organization: name };
      const outcome = await states.setUp([{ state, params: { ...params, ...own } }], check);
      secrets.push(...stateSecrets(outcome, secretNames(document), catalogue["x-states"][state]?.values));
      for (const { request, response } of outcome.calls ?? []) {
        setUps.push({ request, response });
        described.push({ request, response });
      }
      requireTypes(catalogue, state, outcome.values);
      if (where === "own") {
        organization.values ??= outcome.values;
        organization.name = outcome.organization;
        organization.credentials = { ...organization.credentials, ...outcome.credentials };
      }
      return { ...outcome.values, organization: outcome.organization, credentials: outcome.credentials };
    },
    call: async (step, scope): Promise<Exchange> => {
      const token = typeof step.as === "string" ? accounts?.[step.as]?.token : undefined;
      await token?.keepFresh();
      const { unsure, ...first } = requestOf(step, scope);
      let { request } = first;
      const caller = typeof step.as === "string" && !isOutsider(step.as) ? { caller: step.as } : {};
      const entry: Described = { request, ...caller };
      described.push(entry);
      const operation = operationOf(step);
      const started = performance.now();
      const sendNow = () =>
        sendRequest(request, target, isGateway(operation)).catch((error: unknown) => {
          throw error instanceof NoAnswerError ? error.of(aboutOf(request, operation)) : error;
        });
      const sendOnce = () => {
        const { refusals } = target;
        if (refusals === undefined || !mustBeRefused(step, request) || typeof request.body === "object")
          return sendNow();
        const { method, url, headers, body, bytes } = request;
        const key = JSON.stringify([method, url, headers, body, bytes?.toString("base64")]);
        const known = refusals.responses.get(key) ?? sendNow();
        refusals.responses.set(key, known);
        return known;
      };
      let response = await sendOnce();
      const isRenewed = response.status === 401 && (await token?.renew());
      if (isRenewed && (request.method === "GET" || request.method === "HEAD")) {
        ({ request } = requestOf(step, scope));
        entry.request = request;
        response = await sendNow();
      }
      target.onAnswer?.(request, performance.now() - started, aboutOf(request, operation));
      const { status, text, headers } = response;
      entry.response = { status, headers: Object.fromEntries(headers), text };
      if (target.refusals !== undefined && status < 300 && mustBeRefused(step, request)) target.refusals.areLost = true;
      mayHaveChanged ||= request.method !== "GET" && request.method !== "HEAD" && status < 400;
      const excess = jsonExcess(text);
      const parsed = excess === undefined ? parseJson(text) : undefined;
      const body = readableBody(document, operation?.operationId, response, parsed);
      target.creations?.note(request, { status, headers, body });
      const received = { ...response, isBodiless: request.method === "HEAD", parsed };
      const contractProblems = once(() =>
        operation === undefined
          ? []
          : compareWithContract(operation.document, operation.operationId, received, validators, mask),
      );
      if (operation !== undefined && step.sent?.method === undefined) {
        const id = operation.operationId;
        if (status === 501) notes?.note(id, { kind: "not-implemented", why: "status 501" });
        else if (status < 400 && notes?.hasSucceeded(id) === false && contractProblems().length === 0)
          notes.note(id, { kind: "success" });
      }
      return {
        ...response,
        ...(excess === undefined ? {} : { fault: response.fault ?? excess }),
        url: request.url,
        path: new URL(request.url).pathname,
        request: `${request.url} ${decodeURIComponentSafely(request.url)} ${typeof request.body === "string" ? request.body : ""}`,
        bytes: response.bytes ?? Buffer.from(text),
        body,
        // A failure that the contract describes refuses the request, too.
        isRefusal:
          isRefusal(document, response) ||
          (status >= 500 && operation !== undefined && contractProblems().length === 0),
        contractProblems,
        ...(operation?.implied === undefined
          ? {}
          : {
              implied: operation.implied,
              departure: () => departureOf(operation.document, operation.operationId, received, validators),
            }),
        unsure,
      };
    },
    cut: async (step, scope, bytes) => {
      const { request } = requestOf(step, scope);
      described.push({ request });
      await sendCutRequest(request, bytes, target);
    },
    lacks: async (state, status) => lacksState(catalogue, state, status),
    helpFor: async (state, params) => stateHelp(catalogue, { state, params }, loginFields(document)),
    requests: () => described.length,
    trace: () => Promise.all(described.map((one) => describeCall(one, mask, noteOf(one)))),
  };
}

/** Formats a call. `note` says which key `***` stands for. */
async function describeCall(
  { request, response }: { request: HttpRequest; response?: HttpResponse; readonly caller?: string },
  mask: Mask,
  note: string | undefined,
): Promise<ReportedExchange> {
  const exchange = await describeExchange(request, response, mask);
  return note === undefined ? exchange : { ...exchange, command: `${exchange.command} # ${note}` };
}

/** The organization of the accounts, as far as it is known: only the names with which callers log in. */
function setUpWithAccounts(
  { state, params, organization }: StateToSetUp,
  base: string | undefined,
  credentials: Readonly<Record<string, Credentials>>,
  { username }: CredentialFields,
): SetUpState {
  const isOwn = state === base && organization === "own" && Object.keys(params).length === 0;
  if (!isOwn) throw new StateSetupError(state, "there are only accounts, so give --states", { status: 501 });
  const known = Object.entries(credentials).map(([caller, one]) => [caller, { [username]: one[username] }]);
  return { organization: "", credentials: Object.fromEntries(known) };
}

function aboutOf({ method, url }: HttpRequest, operation: ProbedOperation | undefined): RequestAbout {
  const request = `${method} ${operation?.path ?? new URL(url).pathname}`;
  if (operation === undefined) return { request };
  const { operationId, implied } = operation;
  return { request, operation: operationId, rules: implied && [implied.response] };
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The values that are not encoded already. */
function withoutTexts(values: Readonly<Record<string, unknown>>, { written = {} }: CallStep): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => written[name] !== "text" && written[name] !== "verbatim"),
  );
}

/** The common headers, except parameters that a call omits. */
function without(common: Readonly<Record<string, string>>, { written = {} }: CallStep): Record<string, string> {
  const omitted = Object.keys(written).flatMap((name) => (written[name] === "omitted" ? name.toLowerCase() : []));
  return Object.fromEntries(Object.entries(common).filter(([name]) => !omitted.includes(name.toLowerCase())));
}

function headersOf({ headers = {} }: CallStep, scope: Scope): Record<string, string> {
  const resolved = resolveValue(headers, scope) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(Object.entries(resolved).map(([name, value]) => [name, String(value)]));
}

const refusalsLost = "the server carried out a write that it must refuse, so that it gets no other";

/** Whether a request only leaves because a server can do nothing but refuse it. */
function mustBeRefused(step: CallStep, { method }: ReadyRequest): boolean {
  return !isSafe(method) && (expectsRefusal(step) || isOutsider(step.as));
}
