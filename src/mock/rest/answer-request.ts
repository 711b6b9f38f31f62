import type { IncomingMessage } from "node:http";
import { isDeepStrictEqual } from "node:util";
import { basePath } from "../../contract/rest/base-path.js";
import { type Case, listCases } from "../../contract/rest/cases.js";
import { conventionsOf } from "../../contract/rest/conventions.js";
import { type ContractDocument, type ResponseObject, resolve } from "../../contract/rest/document.js";
import { type ListedOperation, listOperations } from "../../contract/rest/operations.js";
import { listRules } from "../../contract/rest/rules.js";
import { textsOfQuery } from "../../request/style.js";
import { createRouter } from "../../server/rest/match-route.js";
import { type Preference, parsePrefer } from "../prefer.js";
import { createResponder, type MockResponse, responseKey } from "./create-responder.js";
import { createErrorBody } from "./error-body.js";
import { describeCredentials, hasCredentials } from "./has-credentials.js";
import { type MockedRequest, mockOperation, readRequest, singleHeader } from "./read-request.js";
import { createSchemaChecks } from "./schema-check.js";

/**
 * Creates the request handler of a mock. It checks `Prefer`, route, credentials, parameters and body in this order, then responds with the
 * matching or preferred case, or else with another documented response. A refusal has a documented status, and the format of the API's
 * errors if the contract says what that is.
 */
export function createAnswerRequest(
  document: ContractDocument,
  acceptsStrangers = false,
): (request: IncomingMessage) => Promise<MockResponse> {
  const compiled = new Map(
    listOperations(document).map((listed) => [listed.operation.operationId, mockOperation(document, listed)] as const),
  );
  const route = createRouter(Object.fromEntries([...compiled].map(([id, operation]) => [id, operation.compiled])));
  const prefix = basePath(document);
  const { error } = conventionsOf(document);
  const ignored = ignoredPointer(document);
  const errorBody = createErrorBody(document);
  const checks = createSchemaChecks(document);
  const { respond, explain } = createResponder(document, checks.response);
  const casesOf = new Map<string, Case[]>();
  for (const one of listCases(document)) casesOf.set(one.operationId, [...(casesOf.get(one.operationId) ?? []), one]);

  return async (request) => {
    const [path = "", search = ""] = (request.url ?? "").split(/\?(.*)/s, 2);
    const preference = parsePrefer(singleHeader(request, "prefer"));
    if (preference.kind === "malformed") return failure(400, preference.message);
    if (!path.startsWith(`${prefix}/`))
      return failure(404, `No operation has the path ${path}: every path begins with ${prefix}/`);
    const match = route(request.method ?? "GET", path.slice(prefix.length));
    if (match.kind === "not-found") return failure(404, `No operation has the path ${path}`);
    if (match.kind === "method-not-allowed")
      return failure(405, `${request.method} is not allowed at ${path}; allowed: ${match.allow.join(", ")}`, {
        Allow: match.allow.join(", "),
      });
    const operation = compiled.get(match.operationId);
    if (operation === undefined) throw new Error(`${match.operationId} is no operation`);
    const { listed } = operation;
    const query = new URLSearchParams(search);
    if (!hasCredentials(document, listed.operation, request, query, acceptsStrangers))
      return refuse(
        listed,
        [401, 403],
        `The request lacks credentials: ${describeCredentials(document, listed.operation)}`,
        preference.value,
      );
    const read = await readRequest(checks.request, { operation, request, match, query: textsOfQuery(search) });
    if (read.kind === "invalid") {
      const statuses = read.status === 400 ? [400, 422] : [read.status];
      return refuse(listed, statuses, read.message);
    }
    const accept = singleHeader(request, "accept");
    return answer(listed, preference.value, read.sent, accept);
  };

  function answer(listed: ListedOperation, preference: Preference, sent: MockedRequest, accept?: string): MockResponse {
    const cases = casesOf.get(listed.operation.operationId) ?? [];
    const chosen = chooseCase(cases, preference, sent);
    const documented = chosen === undefined ? respond(listed, preference, accept) : answerOfCase(listed, chosen);
    if (documented === undefined)
      return failure(
        accept === undefined || Object.keys(preference).length > 0 ? 400 : 406,
        undocumented(document, listed, preference, accept),
      );
    if (documented.status >= 400 && chosen === undefined)
      return explained(listed, documented, "The mock responds with this error because Prefer asks for it");
    return ignored === undefined ? documented : reportIgnored(documented, ignored, sent.unknown);
  }

  function answerOfCase(listed: ListedOperation, { response }: Case): MockResponse {
    const { status, ...shown } = response;
    const key = responseKey(listed, status);
    const documented = key === undefined ? {} : (listed.operation.responses[key] ?? {});
    const { headers } = resolve<Partial<ResponseObject>>(document, documented);
    const made = headers === undefined ? undefined : respond(listed, { code: status });
    return { status, headers: made?.headers ?? {}, ...shown };
  }

  /** Refuses with the first of these statuses that the operation documents, or else the first. */
  function refuse(
    listed: ListedOperation,
    statuses: readonly number[],
    message: string,
    { code, example }: Preference = {},
  ): MockResponse {
    const documented = statuses.filter((status) => responseKey(listed, status) !== undefined);
    const exact = documented.filter((status) => String(status) in listed.operation.responses);
    const status = exact[0] ?? documented[0] ?? statuses[0] ?? 400;
    const named = code === status && example !== undefined ? { code, example } : { code: status };
    // The contract's own format can hold the message.
    const isOwn = error !== undefined && (status === 400 || !exact.includes(status));
    const made = isOwn || documented.length === 0 ? undefined : respond(listed, named);
    const answer = made === undefined ? failure(status, message) : explained(listed, made, message);
    return { ...answer, reason: message };
  }

  function explained(listed: ListedOperation, answer: MockResponse, message: string): MockResponse {
    return explain(listed, answer, { ...errorBody(answer.status, message), message });
  }

  function failure(status: number, message: string, headers: Record<string, string> = {}): MockResponse {
    return { status, headers, ...errorBody(status, message) };
  }
}

/** Why an operation has no response for a request, and which it has. */
function undocumented(
  document: ContractDocument,
  { operation: { operationId, responses } }: ListedOperation,
  { code, example }: Preference,
  accept = "*/*",
): string {
  const asked = [
    ...(code === undefined ? [] : [`code=${code}`]),
    ...(example === undefined ? [] : [`example=${example}`]),
  ];
  const wanted = asked.length > 0 ? `Prefer: ${asked.join(", ")}` : `Accept: ${accept}`;
  const contents = Object.entries(responses).map(
    ([status, response]) => [status, resolve<Partial<ResponseObject>>(document, response).content ?? {}] as const,
  );
  const lists = {
    Examples: contents.flatMap(([status, content]) =>
      Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples).map((name) => `${name} (${status})`)),
    ),
    Statuses: Object.keys(responses),
    "Media types": asked.length > 0 ? [] : [...new Set(contents.flatMap(([, content]) => Object.keys(content)))],
  };
  const known = Object.entries(lists).flatMap(([title, names]) =>
    names.length === 0 ? [] : [`${title}: ${names.join(", ")}`],
  );
  return [`${operationId} has no documented response for ${wanted}`, ...known].join(". ");
}

/** The preferred case. Without a preference, the first case with this request, or else the first successful case. */
function chooseCase(
  cases: readonly Case[],
  { code, example, dynamic }: Preference,
  sent: MockedRequest,
): Case | undefined {
  if (dynamic) return undefined;
  if (example !== undefined) {
    return cases.find(({ name, response }) => name === example && (code ?? response.status) === response.status);
  }
  if (code !== undefined) return undefined;
  // Requests without credentials never get here.
  const answered = cases.filter(({ response }) => response.status !== 401);
  return answered.find((one) => matchesRequest(one, sent)) ?? answered.find(({ response }) => response.status < 300);
}

/** Whether a case has this request. Compares unsupported parameters by name only. */
function matchesRequest({ request }: Case, { fields, headers, unknown }: MockedRequest): boolean {
  const wanted = Object.entries({ ...request.path, ...request.query, ...request.body });
  const known = wanted.filter(([name]) => !unknown.includes(name));
  const texts = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name.toLowerCase(), String(value)]));
  return (
    wanted.length === known.length + unknown.length &&
    isDeepStrictEqual(Object.fromEntries(known), fields) &&
    isDeepStrictEqual(texts(request.header), texts(headers))
  );
}

/** Where a successful body lists parameters that the operation does not have. Undefined if no rule says so. */
function ignoredPointer(document: ContractDocument): string | undefined {
  const shown = listRules(document).map((rule) => rule["shown-by"]);
  return shown.find((one) => one?.kind === "ignored-parameters")?.at;
}

/** Lists the fields that the operation does not have in a successful body, at a JSON pointer of one key. */
function reportIgnored(answer: MockResponse, pointer: string, unknown: readonly string[]): MockResponse {
  const { status, body } = answer;
  if (unknown.length === 0 || status >= 300 || typeof body !== "object" || body === null) return answer;
  return { ...answer, body: { ...body, [pointer.slice(1)]: unknown } };
}
