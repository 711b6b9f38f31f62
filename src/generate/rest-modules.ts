import { basePath } from "../contract/rest/base-path.js";
import { compileOperation } from "../contract/rest/compile-operation.js";
import { type Conventions, conventionsOf } from "../contract/rest/conventions.js";
import { type ContractDocument, type ResponseObject, resolve } from "../contract/rest/document.js";
import { type ListedOperation, listOperations } from "../contract/rest/operations.js";
import { schemasOnly } from "../contract/rest/schemas-only.js";
import { type LoginScheme, loginOf } from "../contract/rest/security.js";
import type { Body, Operation } from "../request/operation.js";
import type { Api, ApiOperation, ErrorForm } from "../runtime/rest/api.js";

/** The modules of a contract in OpenAPI besides its types, by path. */
export function restModules(document: ContractDocument): ReadonlyMap<string, string> {
  const conventions = conventionsOf(document);
  const types = handlerTypes(document, conventions);
  return new Map([
    ["api.ts", apiModule(document)],
    ["client.ts", clientModule(document, conventions)],
    ["document.ts", documentModule(document)],
    ["server.ts", serverModule(types)],
  ]);
}

/** The module with what clients need at run time. */
function apiModule(document: ContractDocument): string {
  const { operations, ...api } = apiOf(document);
  const rows = Object.entries(operations).map(([id, row]) => `    ${JSON.stringify(id)}: ${JSON.stringify(row)},`);
  const parts = Object.entries(api).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  return `import type { Api } from "accord-contracts/runtime/client";

/** What clients need of the contract at run time. */
export const api: Api = {
${parts.join("\n")}
  operations: {
${rows.join("\n")}
  },
};
`;
}

/** What clients need of a contract. */
export function apiOf(document: ContractDocument): Api {
  const { success, error } = conventionsOf(document);
  const [{ url = "" } = {}] = document.servers ?? [];
  const listed = listOperations(document);
  const schemes = new Map(
    listed.flatMap(({ operation }) => loginOf(document, operation).alternatives.flat()).map((one) => [one.id, one]),
  );
  const security = namesOf(loginOf(document, {}).alternatives);
  return {
    ...(/^https?:\/\/[^{}]*$/.test(url) ? { url } : {}),
    basePath: basePath(document),
    schemes: Object.fromEntries(schemes),
    security,
    ...(success === undefined ? {} : { success: membersOf(success) }),
    ...(error?.body === undefined && error?.code === undefined ? {} : { error: errorForm(error) }),
    operations: Object.fromEntries(
      listed.map((one) => [one.operation.operationId, rowOf(document, one, security)] as const),
    ),
  };
}

function namesOf(alternatives: readonly (readonly LoginScheme[])[]): readonly (readonly string[])[] {
  return alternatives.map((schemes) => schemes.map(({ id }) => id));
}

function rowOf(document: ContractDocument, listed: ListedOperation, common: Api["security"]): ApiOperation {
  const security = namesOf(loginOf(document, listed.operation).alternatives);
  const responses = Object.entries(listed.operation.responses).map(([status, given]) => [
    status,
    Object.keys(resolve<Partial<ResponseObject>>(document, given).content ?? {}),
  ]);
  return {
    ...withWholeBody(compileOperation(document, listed)),
    ...(JSON.stringify(security) === JSON.stringify(common) ? {} : { security }),
    responses: Object.fromEntries(responses),
  };
}

/** Typed calls pass a body that is no form as a whole. */
function withWholeBody({ bodies, ...operation }: Operation): Operation {
  const name = operation.parameters.some((one) => one.name === "body") ? "requestBody" : "body";
  const whole = (body: Body): Body =>
    body.form === "json"
      ? {
          ...body,
          fields: [{ name, place: "body", wireName: null, json: true, ...(body.required ? { required: true } : {}) }],
        }
      : body;
  return bodies === undefined ? operation : { ...operation, bodies: bodies.map(whole) };
}

/** The top-level members with fixed values. */
function membersOf(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const fixed = Object.entries(values).filter(
    ([pointer, value]) => /^\/[^/]+$/.test(pointer) && typeof value !== "object",
  );
  return Object.fromEntries(fixed.map(([pointer, value]) => [pointer.slice(1), value]));
}

function errorForm({ body = {}, code }: NonNullable<Conventions["error"]>): ErrorForm {
  const texts = Object.entries(body).flatMap(([pointer, matcher]) =>
    typeof matcher === "object" && pointer !== code && /^\/[^/]+$/.test(pointer) ? pointer.slice(1) : [],
  );
  const member = /^\/([^/]+)$/.exec(code ?? "")?.[1];
  return { members: membersOf(body), messages: texts, ...(member === undefined ? {} : { code: member }) };
}

function clientModule(document: ContractDocument, { error }: Conventions): string {
  const { schemes } = apiOf(document);
  const credentials = Object.values(schemes).map(
    ({ id, kind }) => `  readonly ${JSON.stringify(id)}?: ${kind === "basic" ? "BasicCredentials" : "string"};`,
  );
  const needsBasic = credentials.some((line) => line.includes("BasicCredentials"));
  const code = /^\/([^/]+)$/.exec(error?.code ?? "")?.[1];
  return `import {
  type ApiErrorTest,
${needsBasic ? "  type BasicCredentials,\n" : ""}  type Client as ClientOf,
  type ClientOptions as ClientOptionsOf,
  createClient as createClientOf,
  createUnwrap,
  type ErrorBodyOf,
  isApiError as isAnyApiError,
  type ResultOf,
  type Unwrap,
} from "accord-contracts/runtime/client";
import { api } from "./api.js";
import type { operations } from "./types.js";

export { ApiError, ResponseTooLargeError, UnexpectedResponseError } from "accord-contracts/runtime/client";

/** The credentials by the names of the security schemes. */
export type Credentials = {
${credentials.join("\n")}
};

/** The server and the credentials of the caller. */
export type ClientOptions = ClientOptionsOf<Credentials>;

/** One function per operation. */
export type Client = ClientOf<operations>;

/** The result of an operation: a union discriminated by \`ok\` and \`status\`. */
export type CallResult<Id extends keyof operations> = ResultOf<operations[Id]>;

/** The bodies of errors. */
export type ErrorBody = ErrorBodyOf<operations>;

/** Creates a client. */
export function createClient(options: ClientOptions${/^https?:\/\/[^{}]*$/.test(document.servers?.[0]?.url ?? "") ? " = {}" : ""}): Client {
  return createClientOf<operations>(api, options);
}

/** Returns the data of a successful result. Throws an \`ApiError\` for any other result. */
export const unwrap: Unwrap = createUnwrap(api.error);

/** Whether a value is an \`ApiError\`, and has \`code\` if one is given, which also types its \`body\`. */
export const isApiError = isAnyApiError as ApiErrorTest<ErrorBody, ${code === undefined ? "never" : JSON.stringify(code)}>;
`;
}

/** The module with the document, in pieces that a diff can show. */
function documentModule(document: ContractDocument): string {
  const { openapi, info, servers, security, components = { schemas: {} } } = document;
  const { schemas } = (schemasOnly(document) as ContractDocument).components ?? {};
  const operations = listOperations(document).map(({ path, method, operation }) => {
    const { operationId, parameters = [], requestBody, responses, security: own } = operation;
    const parts = {
      operationId,
      parameters: parameters.map(bare),
      requestBody: bare(requestBody),
      responses: bareAll(responses),
    };
    return [path, method, { ...parts, security: own }];
  });
  const shared = Object.entries(components).map(([section, values]) => [section, bareAll(values as object)]);
  const parts = {
    ...{ openapi, info: { title: info.title, version: info.version }, servers, security },
    components: { ...Object.fromEntries(shared), schemas },
    "x-accord": conventionsOf(document),
  };
  const lines = operations.map((one) => `  ${JSON.stringify(JSON.stringify(one))},`);
  return `import type { ContractDocument } from "accord-contracts/runtime/server";

// As text, which compilers need not look into.
const operations = [
${lines.join("\n")}
];

/** What servers need of the contract at run time. */
export function readDocument(): ContractDocument {
  const paths: ContractDocument["paths"] = {};
  for (const text of operations) {
    const [path, method, operation] = JSON.parse(text);
    paths[path] = { ...paths[path], [method]: operation };
  }
  return { ...JSON.parse(${JSON.stringify(JSON.stringify(parts))}), paths };
}
`;
}

/** A parameter, body or response without its examples. */
function bare(node: unknown): unknown {
  if (typeof node !== "object" || node === null) return node;
  const { example: _, examples: __, content, ...others } = node as Record<string, unknown>;
  return content === undefined ? others : { ...others, content: bareAll(content as object) };
}

function bareAll(nodes: object): object {
  return Object.fromEntries(Object.entries(nodes).map(([name, node]) => [name, bare(node)]));
}

function handlerTypes(document: ContractDocument, { success = {}, error }: Conventions): string {
  const logins = listOperations(document).map(({ operation }) => ({
    id: operation.operationId,
    login: loginOf(document, operation),
  }));
  const union = (names: readonly string[]) =>
    names.length === 0 ? "never" : names.map((name) => JSON.stringify(name)).join(" | ");
  const without = logins.filter(({ login }) => !login.isRequired && login.alternatives.length === 0);
  const optional = logins.filter(({ login }) => !login.isRequired && login.alternatives.length > 0);
  return `{
  withoutLogin: ${union(without.map(({ id }) => id))};
  optionalLogin: ${union(optional.map(({ id }) => id))};
  success: ${union(Object.keys(membersOf(success)))};
  error: ${union(Object.keys(membersOf(error?.body ?? {})))};
}`;
}

function serverModule(types: string): string {
  return `import {
  createDocumentService,
  createFetchHandler as fetchHandlerOf,
  type DocumentServiceOptions,
  type Handlers as HandlersOf,
  type Service,
  unimplementedOf,
} from "accord-contracts/runtime/server";
import { readDocument } from "./document.js";
import type { operations } from "./types.js";

export { type ReceivedCredentials, Refusal, Reply, refuse, refuseUndocumented, reply } from "accord-contracts/runtime/server";

/** What is particular to the types of this contract. */
interface Types ${types}

/** The implementation of one operation. */
export type Handler<Id extends keyof operations, Caller> = HandlersOf<operations, Caller, Types>[Id];

/** The implementation of all operations, with one function for each. */
export type Handlers<Caller> = HandlersOf<operations, Caller, Types>;

/** Handlers of a server, and how to run them. */
export type ServerOptions<Caller extends object> = DocumentServiceOptions<Caller, Handlers<Caller>>;

/** Creates a function that responds to requests, for \`createFetchHandler\`, Fastify or a server of your own. */
export function createService<Caller extends object>(options: ServerOptions<Caller>): Service {
  return createDocumentService(readDocument(), options);
}

/** Creates a web-standard handler that serves an implementation. */
export function createFetchHandler<Caller extends object>(
  options: ServerOptions<Caller>,
): (request: Request) => Promise<Response> {
  return fetchHandlerOf(createService(options));
}

/** Creates handlers that respond to every operation with status 501. Replace them one by one. */
export function unimplementedHandlers<Caller extends object>(): Handlers<Caller> {
  return unimplementedOf(readDocument()) as unknown as Handlers<Caller>;
}
`;
}
