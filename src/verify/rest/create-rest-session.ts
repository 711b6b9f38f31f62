import { once } from "../../base/once.js";
import { jsonExcess, parseJson } from "../../base/parse-json.js";
import { isOutsider } from "../../contract/calls.js";
import { type CredentialFields, credentialFields } from "../../contract/rest/conventions.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { documentLogin, loginFields, secretField, secretNames, secretPlaces } from "../../contract/rest/security.js";
import { baseState, setupAnswer } from "../../contract/rest/states.js";
import { compareWithContract } from "../../judge/compare-with-contract.js";
import { departureOf } from "../../judge/departures.js";
import { describeExchange } from "../../judge/describe-exchange.js";
import type { Mask } from "../../judge/excerpt.js";
import type { Exchange } from "../../judge/exchange.js";
import type { HttpRequest, ReceivedResponse } from "../../judge/http-message.js";
import { createMask } from "../../judge/mask.js";
import { readableBody } from "../../judge/readable-body.js";
import { isRefusal } from "../../judge/refusal.js";
import type { ReportedExchange } from "../../report/model/check-result.js";
import { NoAnswerError, type RequestAbout } from "../http/no-answer-error.js";
import { sendCutRequest } from "../http/send-cut-request.js";
import { isNotJson, sendRequest } from "../http/send-request.js";
import type { Session, SetUpState, StateToSetUp } from "../run/session.js";
import { type Credentials, stateSecrets } from "../states/callers.js";
import { lacksState, stateHelp } from "../states/catalogue.js";
import { requireTypes } from "../states/require-types.js";
import { createStatesClient, StateSetupError } from "../states/states-client.js";
import { accountCredentials } from "./accounts.js";
import { createRequests, mustBeRefused, operationOf } from "./create-requests.js";
import { createKnownValues } from "./known-values.js";
import type { DescribedCall, Organization, RestTarget } from "./rest-target.js";
import { findLoginCall } from "./server/login-call.js";

/** How a request ends without a response although the server may have carried it out. */
const mayHaveActed: ReadonlySet<NoAnswerError["kind"]> = new Set(["dropped", "timeout", "gateway", "unreadable"]);

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
  const { statesUrl, accounts, operations, validators, notes, isNewer = false } = target;
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
  const described: DescribedCall[] = [...setUps];
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

  const requestOf = createRequests(target, organization, known);
  const secretName = secretField(documentLogin(document).schemes[0], fields);

  function noteOf({ caller }: DescribedCall): string | undefined {
    if (caller === undefined) return undefined;
    if (accounts !== undefined) return `*** is the key of the account of ${caller}`;
    return described.length > 1
      ? `*** is credentials.${caller}.${secretName} in the answer to POST /states; another setup has other ids`
      : undefined;
  }

  /** Why a refusal of an account shows nothing: the server refuses it altogether, although it accepted it at first. */
  async function lockedOut(caller: string): Promise<string | undefined> {
    const account = accounts?.[caller];
    if (account === undefined) return undefined;
    const login = findLoginCall(operations.values(), { apiUrl: target.url, document }, target);
    const isRefused = (await login?.send(accountCredentials(account, fields))) === 401;
    return isRefused
      ? `the server no longer accepts the account of ${caller}, which an earlier request may end`
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
      const entry: DescribedCall = { request, ...caller };
      described.push(entry);
      const operation = operationOf(step, operations);
      const started = performance.now();
      const sendNow = () =>
        sendRequest(request, target, isGateway(operation)).catch((error: unknown) => {
          if (error instanceof NoAnswerError && mayHaveActed.has(error.kind)) target.creations?.noteLost(request);
          throw error instanceof NoAnswerError ? error.of(aboutOf(request, operation)) : error;
        });
      const sendOnce = () => {
        const { refusals } = target;
        if (refusals === undefined || !mustBeRefused(step, request, operation) || typeof request.body === "object")
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
      if (target.refusals !== undefined && status < 300 && mustBeRefused(step, request, operation))
        target.refusals.areLost = true;
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
        ...(status === 401 && caller.caller !== undefined ? { excuse: () => lockedOut(caller.caller) } : {}),
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
  { request, response }: DescribedCall,
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
