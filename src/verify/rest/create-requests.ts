import { parseUrl } from "../../base/parse-url.js";
import { expectsRefusal, isOutsider } from "../../contract/calls.js";
import type { Caller, CallStep } from "../../contract/check.js";
import { credentialFields } from "../../contract/rest/conventions.js";
import type { ProbedOperation } from "../../contract/rest/probed-operation.js";
import { alternativeFor, documentLogin, hasLogin, type LoginScheme } from "../../contract/rest/security.js";
import { baseState } from "../../contract/rest/states.js";
import { bytesOf } from "../../judge/bytes.js";
import type { Unsure } from "../../judge/exchange.js";
import { resolveValue, type Scope } from "../../judge/expressions.js";
import { findUnwritable } from "../../request/encode.js";
import { isSafe } from "../http/call-http.js";
import { encodeCall } from "../http/encode-call.js";
import type { ReadyRequest } from "../http/send-request.js";
import { withLogin } from "../http/with-login.js";
import { NotApplicableError } from "../run/session.js";
import { type Credentials, unknownCredentials } from "../states/callers.js";
import { StateSetupError } from "../states/states-client.js";
import { accountCredentials } from "./accounts.js";
import type { KnownValues } from "./known-values.js";

import type { Organization, RestTarget } from "./rest-target.js";

/** A request that is ready to be sent, and the values of it that the server may not have. */
export interface PreparedRequest {
  readonly request: ReadyRequest;
  readonly unsure?: Unsure;
}

/** Creates a function that returns the request of a step. It throws a `NotApplicableError` if the request must not leave. */
export function createRequests(
  target: RestTarget,
  organization: Organization,
  known: KnownValues,
): (step: CallStep, scope: Scope) => PreparedRequest {
  const { url, accounts, headers: common = {}, operations, document, states: catalogue } = target;
  const fields = credentialFields(document);

  function credentialsOf(as: Caller, scope: Scope): Credentials | undefined {
    if (typeof as !== "string") return resolveValue(as, scope) as Credentials;
    if (as === "nobody") return undefined;
    if (as === "stranger") return unknownCredentials(fields);
    const account = accounts !== undefined && Object.hasOwn(accounts, as) ? accounts[as] : undefined;
    // A token may have been renewed.
    if (account?.token !== undefined) return accountCredentials(account, fields);
    const found = Object.hasOwn(organization.credentials, as) ? organization.credentials[as] : undefined;
    if (found !== undefined) return found;
    if (target.statesUrl === undefined)
      throw new NotApplicableError(`it needs the credentials of ${as}: give --account`);
    const reason = `the answer has no credentials of ${as}`;
    throw new StateSetupError(baseState(catalogue) ?? "", reason, { status: 200 });
  }

  /** Throws a `NotApplicableError` if a caller has no credentials of its own for a scheme. An account has the same for each. */
  function requireLogin({ as }: CallStep, login: readonly LoginScheme[], credentials: Credentials): void {
    if (accounts === undefined && login.every((one) => hasLogin(one, credentials, fields))) return;
    throw new NotApplicableError(`it needs credentials of ${as} for ${login.map(({ id }) => id).join(" and ")}`);
  }

  /** The request of a step. Throws a `NotApplicableError` if it must not leave. */
  function requestOf(step: CallStep, scope: Scope): PreparedRequest {
    const encoded = encodedRequest(step, scope);
    const { request } = encoded;
    const refusal = target.refuse?.(request.method, request.url, step.call === undefined);
    if (refusal !== undefined) throw new NotApplicableError(refusal);
    if (target.refusals?.areLost && mustBeRefused(step, request, operationOf(step, operations)))
      throw new NotApplicableError(refusalsLost);
    return encoded;
  }

  function encodedRequest(step: CallStep, scope: Scope): PreparedRequest {
    const credentials = credentialsOf(step.as, scope);
    const headers = headersOf(step, scope);
    const operation = operationOf(step, operations);
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
    const found = parseUrl(text, url);
    if (found === undefined) throw new NotApplicableError(`${JSON.stringify(text)} is not a URL`);
    if (found.origin !== new URL(url).origin)
      throw new NotApplicableError("the URL is at an origin other than that of the API");
    const sent = body === undefined ? {} : { body: `${bytesOf(body).length} bytes`, bytes: bytesOf(body) };
    return { request: send({ method, url: found.href, headers: {}, ...sent }) };
  }

  return requestOf;
}

/** The operation that a step calls. Undefined if it calls a URL. */
export function operationOf(
  { call }: CallStep,
  operations: ReadonlyMap<string, ProbedOperation>,
): ProbedOperation | undefined {
  if (call === undefined) return undefined;
  const found = operations.get(call);
  if (found === undefined) throw new Error(`The contract has no operation ${call}`);
  return found;
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
export function mustBeRefused(
  step: CallStep,
  { method }: ReadyRequest,
  operation: Pick<ProbedOperation, "needsLogin"> | undefined,
): boolean {
  if (isSafe(method)) return false;
  return expectsRefusal(step) || (isOutsider(step.as) && operation?.needsLogin !== false);
}
