import { basePath } from "../../../contract/rest/base-path.js";
import { conventionsOf } from "../../../contract/rest/conventions.js";
import { type ContractDocument, type ResponseObject, resolve } from "../../../contract/rest/document.js";
import { listOperations, parametersOf } from "../../../contract/rest/operations.js";
import { isJson } from "../../../contract/rest/response-schemas.js";
import { type LoginScheme, loginOf } from "../../../contract/rest/security.js";
import { createErrorBody } from "../../../mock/rest/error-body.js";
import { checkRequest, type MockedOperation, mockOperation } from "../../../mock/rest/read-request.js";
import { createSchemaChecks, escapeKey, operationPointer } from "../../../mock/rest/schema-check.js";
import type { Parameter } from "../../../request/operation.js";
import { textsOfQuery } from "../../../request/style.js";
import { createSecret, type Secret } from "../../../secrets/secret.js";
import { createService } from "./create-service.js";
import { createUnimplemented } from "./handlers.js";
import { Reply, refuseUndocumented, UndocumentedRefusal } from "./refusal.js";
import type {
  ParsedRequest,
  RequestParts,
  Service,
  ServiceOptions,
  ServiceRequest,
  ServiceResponse,
} from "./service.js";

/** The credentials of a request by the names of the security schemes: a user name and password, a token or a key. */
export type ReceivedCredentials = Readonly<Record<string, { readonly username?: string; readonly secret: Secret }>>;

/** Handlers of a server, and how to run them. */
export interface DocumentServiceOptions<Caller extends object, Handlers>
  extends ServiceOptions<Caller, ReceivedCredentials> {
  readonly handlers: Handlers;
}

/** Creates a function that responds to the requests of an API whose contract is in OpenAPI, like `createService`. */
export function createDocumentService<Caller extends object>(
  document: ContractDocument,
  { handlers, ...options }: DocumentServiceOptions<Caller, object>,
): Service {
  const listed = new Map(listOperations(document).map((one) => [one.operation.operationId, one]));
  const compiled = new Map<string, MockedOperation>();
  const checks = createSchemaChecks(document);
  const errorBody = createErrorBody(document);
  const { success = {}, error } = conventionsOf(document);
  const successMembers = members(success);
  const errorMembers = members(error?.body ?? {});

  function operationOf(id: string): MockedOperation {
    const known = compiled.get(id);
    const found = listed.get(id);
    if (known !== undefined || found === undefined) return known ?? unknownOperation(id);
    const operation = mockOperation(document, found);
    compiled.set(id, operation);
    return operation;
  }

  const responseOf = (id: string, status: number | string) => {
    const { responses } = operationOf(id).listed.operation;
    const key = [String(status), `${String(status)[0]}XX`, "default"].find((one) => one in responses);
    const given = key === undefined ? undefined : responses[key];
    const response = given && resolve<Partial<ResponseObject>>(document, given);
    return {
      key,
      content: response?.content ?? {},
      pointer: given && "$ref" in given ? given.$ref.slice(1) : undefined,
    };
  };

  function parse(id: string, { query, ...parts }: RequestParts): ParsedRequest {
    const operation = operationOf(id);
    const checked = checkRequest(checks.request, operation, { ...parts, query: textsOfQuery(query) });
    if (checked.kind === "invalid") return checked;
    const { values, body, unknown } = checked.decoded;
    const { parameters } = operation.compiled;
    if (body?.as.form !== "json") return { kind: "valid", values, ignored: unknown };
    const names = new Set(parameters.map(({ name }) => name));
    const own = Object.entries(values).filter(([name]) => names.has(name));
    const whole = { [names.has("body") ? "requestBody" : "body"]: body.value };
    return { kind: "valid", values: { ...Object.fromEntries(own), ...whole }, ignored: unknown };
  }

  async function succeed(id: string, result: unknown): Promise<ServiceResponse<never>> {
    const documented = Object.keys(operationOf(id).listed.operation.responses).filter((status) =>
      /^2\d\d$/.test(status),
    );
    const { status, body, headers } =
      result instanceof Reply ? result : new Reply(Number(documented[0] ?? 200), result);
    const [type = "application/json"] = Object.keys(responseOf(id, status).content);
    const isEmpty = body === undefined && Object.keys(successMembers).length === 0;
    if (isEmpty || status === 204) return { status, headers, body: "" };
    if (body instanceof Blob || body instanceof Uint8Array) {
      const bytes = body instanceof Blob ? new Uint8Array(await body.arrayBuffer()) : body;
      const given = body instanceof Blob ? body.type : "";
      return { status, headers: { "Content-Type": given || concrete(type), ...headers }, body: bytes };
    }
    const isText = typeof body === "string" && !isJson(type);
    const text = isText ? body : JSON.stringify(withMembers(successMembers, body));
    return { status, headers: { "Content-Type": isText ? concrete(type) : jsonType(type), ...headers }, body: text };
  }

  function fail(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
  ): ServiceResponse<never> {
    const { mediaType, body } = errorBody(status, message);
    return { status, headers: { ...headers, "Content-Type": mediaType }, body: JSON.stringify(body) };
  }

  const { mediaType: errorType } = errorBody(400, "");
  const ids = [...listed.keys()];
  return createService(
    {
      prefix: basePath(document),
      operations: Object.fromEntries(
        [...listed].map(([id, { path, method, operation }]) => {
          const parameters = parametersOf(document, operation).flatMap((one): Parameter[] =>
            one["x-allow-slashes"] ? [{ name: one.name, place: "path", slashes: true }] : [],
          );
          return [id, { method: method.toUpperCase(), path, parameters }];
        }),
      ),
      handlers: { ...unimplementedOf(document, ids), ...handlers } as Readonly<
        Record<string, (call: object) => unknown>
      >,
      loginOf: (id) => {
        const { isRequired, alternatives } = loginOf(document, operationOf(id).listed.operation);
        return isRequired ? "required" : alternatives.length > 0 ? "optional" : "none";
      },
      readCredentials: (id, request) =>
        readCredentials(loginOf(document, operationOf(id).listed.operation).alternatives, request),
      ownerOf: (credentials) =>
        JSON.stringify(
          Object.entries(credentials).map(([id, { username, secret }]) => [id, username, secret.reveal()]),
        ),
      notLoggedIn: (id) => {
        const { schemes } = loginOf(document, operationOf(id).listed.operation);
        const challenges = schemes.flatMap(({ kind }) =>
          kind === "key" ? [] : kind === "basic" ? 'Basic realm="api"' : "Bearer",
        );
        const { body } = errorBody(401, "The request needs valid credentials");
        return refuseUndocumented(
          401,
          body,
          challenges.length === 0 ? {} : { "WWW-Authenticate": challenges.join(", ") },
        );
      },
      takesAny: true,
      parse,
      succeed,
      fail,
      refused: ({ status, fields, headers }, id) => {
        const documented = Object.keys(responseOf(id, status).content).find(isJson);
        return {
          status,
          headers: { "Content-Type": documented === undefined ? errorType : jsonType(documented), ...headers },
          body: JSON.stringify(withMembers(errorMembers, fields)),
        };
      },
      problemsOf: (id, { status, headers, body }) => {
        const { key, content, pointer } = responseOf(id, status);
        // Refusals may be undocumented.
        if (key === undefined) return status >= 400 ? [] : [`status ${status} is not documented`];
        const type = Object.keys(content).find(isJson);
        if (type === undefined || !isJson(headers["Content-Type"] ?? "")) return [];
        const at = pointer ?? `${operationPointer(operationOf(id).listed)}/responses/${key}`;
        const problem = checks.response(`${at}/content/${escapeKey(type)}/schema`, JSON.parse(String(body)));
        return problem === undefined ? [] : [`${problem.at} ${problem.message}`];
      },
    },
    options as ServiceOptions<Caller, ReceivedCredentials>,
  );
}

/** Creates handlers that respond to every operation with status 501, like `createUnimplemented`. */
export function unimplementedOf(
  document: ContractDocument,
  ids: readonly string[] = listOperations(document).map((one) => one.operation.operationId),
) {
  const errorBody = createErrorBody(document);
  return createUnimplemented(
    ids,
    (id) => new UndocumentedRefusal(501, errorBody(501, `${id} is not implemented`).body),
  );
}

function unknownOperation(id: string): never {
  throw new TypeError(`The API has no operation ${id}`);
}

/** The top-level members with fixed values, by JSON pointers. */
function members(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fixed = Object.entries(values).filter(
    ([pointer, value]) => /^\/[^/]+$/.test(pointer) && typeof value !== "object",
  );
  return Object.fromEntries(fixed.map(([pointer, value]) => [pointer.slice(1), value]));
}

function withMembers(own: Readonly<Record<string, unknown>>, body: unknown): unknown {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (Object.keys(own).length === 0 || !(isObject || body === undefined)) return body;
  return Object.assign({}, own, body, own);
}

function jsonType(type: string): string {
  return type.includes("*") ? "application/json" : type;
}

function concrete(type: string): string {
  return type.includes("*") ? "application/octet-stream" : type;
}

/** Reads the credentials of the first alternative of which a request has all. */
function readCredentials(
  alternatives: readonly (readonly LoginScheme[])[],
  { query, header }: { readonly query: string; readonly header: ServiceRequest["header"] },
): ReceivedCredentials | undefined {
  for (const schemes of alternatives) {
    const found = schemes.map((scheme) => [scheme.id, readScheme(scheme, query, header)] as const);
    if (found.every(([, one]) => one !== undefined)) return Object.fromEntries(found) as ReceivedCredentials;
  }
  return undefined;
}

function readScheme(
  scheme: LoginScheme,
  query: string,
  header: ServiceRequest["header"],
): ReceivedCredentials[string] | undefined {
  const authorization = header("authorization") ?? "";
  switch (scheme.kind) {
    case "basic": {
      const encoded = /^Basic +([A-Za-z0-9+/]+=*) *$/i.exec(authorization)?.[1] ?? "";
      const [, username, password = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
      return username === undefined ? undefined : { username, secret: createSecret(password) };
    }
    case "bearer": {
      const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
      return token === undefined ? undefined : { secret: createSecret(token) };
    }
    case "key": {
      const text = readKey(scheme, query, header);
      return text === undefined || text === "" ? undefined : { secret: createSecret(text) };
    }
  }
}

function readKey(
  { in: place, name }: Extract<LoginScheme, { kind: "key" }>,
  query: string,
  header: ServiceRequest["header"],
): string | undefined {
  if (place === "header") return header(name.toLowerCase());
  if (place === "query") return new URLSearchParams(query).get(name) ?? undefined;
  const pair = (header("cookie") ?? "").split(/; */).find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
