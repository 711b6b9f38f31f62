import type { IncomingMessage } from "node:http";
import { compileOperation } from "../../contract/rest/compile-operation.js";
import { type ContractDocument, type ParameterObject, resolve } from "../../contract/rest/document.js";
import type { ListedOperation } from "../../contract/rest/operations.js";
import { receiveBody } from "../../http/receive-body.js";
import { bodyValue, type DecodedRequest, decode, findBody, withTextParts } from "../../request/decode.js";
import { type Operation, wireNameOf } from "../../request/operation.js";
import type { SentText } from "../../request/style.js";
import type { ReadBody } from "../../server/rest/body-reader.js";
import type { RouteMatch } from "../../server/rest/match-route.js";
import { createMemoryBudget, defaultMemoryLimits } from "../../server/rest/memory-budget.js";
import { readBody } from "../../server/rest/read-body.js";
import { escapeKey, operationPointer, type SchemaCheck } from "./schema-check.js";

/** All requests share one budget, because the mock cannot tell callers apart. */
const openShare = createMemoryBudget({ ...defaultMemoryLimits, maxBytesPerCaller: defaultMemoryLimits.maxBytes });

/** A request in the form that cases use. */
export interface MockedRequest {
  /** Parameters of the path and the query, and the fields of the body. A file is its name, type and text. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Those of headers and cookies. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** Sorted names of fields that the operation does not have. */
  readonly unknown: readonly string[];
}

/** A valid request, or why it is refused. */
export type ReadRequest =
  | { readonly kind: "valid"; readonly sent: MockedRequest }
  | { readonly kind: "invalid"; readonly status: number; readonly message: string };

/** A request whose operation is known. */
export interface RoutedRequest {
  readonly operation: MockedOperation;
  readonly request: IncomingMessage;
  /** The values of the path. */
  readonly match: Pick<Extract<RouteMatch, { kind: "found" }>, "path" | "rawPath">;
  readonly query: readonly SentText[];
}

/** An operation with the schemas of its requests. */
export interface MockedOperation {
  readonly listed: ListedOperation;
  readonly compiled: Operation;
  /** JSON pointers to the schemas of the parameters, in order. */
  readonly pointers: readonly string[];
}

/** Compiles an operation. */
export function mockOperation(document: ContractDocument, listed: ListedOperation): MockedOperation {
  const pointers = (listed.operation.parameters ?? []).map((given, i) => {
    const at = "$ref" in given ? given.$ref.slice(1) : `${operationPointer(listed)}/parameters/${i}`;
    const [media] = Object.keys(resolve<ParameterObject>(document, given).content ?? {});
    return media === undefined ? `${at}/schema` : `${at}/content/${escapeKey(media)}/schema`;
  });
  return { listed, compiled: compileOperation(document, listed), pointers };
}

/** Reads, decodes and checks a request. Fields of a form may also be in the query. */
export async function readRequest(check: SchemaCheck, routed: RoutedRequest): Promise<ReadRequest> {
  const { operation, request, match, query } = routed;
  const { compiled } = operation;
  const memory = openShare("");
  const header = (name: string) => singleHeader(request, name);
  const read: ReadBody =
    compiled.bodies === undefined
      ? { kind: "read", fields: [], files: [], dispose: () => Promise.resolve() }
      : await readBody(receiveBody(request), header, { hold: memory.take, takesAny: true });
  try {
    if (read.kind === "aborted") return invalid(400, "The request ended before its body did");
    if (read.kind === "refused") return invalid(read.status, read.message);
    const { fields, files } = await withTextParts(compiled, read);
    const { bytes } = read;
    const checked = checkRequest(check, operation, { ...match, query, header, fields, files, ...(bytes && { bytes }) });
    if (checked.kind === "invalid") return checked;
    return { kind: "valid", sent: await sentRequest(compiled, checked.decoded) };
  } finally {
    memory.release();
    if (read.kind === "read") await read.dispose();
  }
}

/** The parts of a request whose body has been read. */
export interface SentParts {
  /** The values of the path, and those as sent. */
  readonly path: Readonly<Record<string, string>>;
  readonly rawPath: Readonly<Record<string, string>>;
  readonly query: readonly SentText[];
  /** Looks up a header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  readonly fields: readonly SentText[];
  readonly files: readonly (readonly [name: string, file: File])[];
  /** A body that is no form. */
  readonly bytes?: Uint8Array;
}

/** Decodes a request, and checks it against the schemas of its operation. */
export function checkRequest(
  check: SchemaCheck,
  operation: MockedOperation,
  { path, rawPath, query, header, fields, files, bytes }: SentParts,
): { readonly kind: "decoded"; readonly decoded: DecodedRequest } | Extract<ReadRequest, { kind: "invalid" }> {
  const { compiled, listed } = operation;
  const isSent = fields.length + files.length + (bytes?.length ?? 0) > 0;
  const contentType = header("content-type");
  if (isSent && findBody(compiled, contentType) === undefined) {
    const types = Object.keys(listed.operation.requestBody?.content ?? {}).join(" or ");
    const given = contentType === undefined ? "A body without Content-Type" : `Content-Type '${contentType}'`;
    return invalid(415, `${given} is not supported; send ${types}`);
  }
  const own = compiled.parameters.flatMap((one) => (one.place === "header" ? wireNameOf(one).toLowerCase() : []));
  const decoded = decode(compiled, {
    path: Object.entries(path).map(([name, text]) => [name, text, rawPath[name]]),
    query,
    headers: Object.fromEntries(["content-type", "cookie", ...own].map((name) => [name, header(name)])),
    body: isSent ? (bytes ? { kind: "bytes", bytes } : { kind: "form", fields, files }) : undefined,
  });
  const problem = problemOf(check, operation, decoded, isSent);
  return problem === undefined ? { kind: "decoded", decoded } : invalid(400, problem);
}

function invalid(status: number, message: string): Extract<ReadRequest, { kind: "invalid" }> {
  return { kind: "invalid", status, message };
}

async function sentRequest({ parameters }: Operation, { values, unknown }: DecodedRequest): Promise<MockedRequest> {
  const inHead = new Set(
    parameters.flatMap(({ name, place }) => (place === "header" || place === "cookie" ? name : [])),
  );
  const described = await Promise.all(
    Object.entries(values).map(async ([name, value]) => [name, await describeFiles(value)] as const),
  );
  const part = (isIn: (name: string) => boolean) => Object.fromEntries(described.filter(([name]) => isIn(name)));
  return { fields: part((name) => !inHead.has(name)), headers: part((name) => inHead.has(name)), unknown };
}

/** The first problem of the parameters, or else of the body. */
function problemOf(
  check: SchemaCheck,
  { listed, compiled, pointers }: MockedOperation,
  { values, malformed, body, hasMalformedBody }: DecodedRequest,
  isSent: boolean,
): string | undefined {
  const expected = new Map(malformed.map((one) => [one.name, one.expected]));
  const mistyped = (name: string) => `Argument '${name}' must be ${expected.get(name)}`;
  for (const [i, { name, required }] of compiled.parameters.entries()) {
    if (expected.has(name)) return mistyped(name);
    if (values[name] === undefined) {
      if (required) return `Missing '${name}' argument`;
      continue;
    }
    const problem = check(pointers[i] ?? "", values[name]);
    if (problem !== undefined) return describe(problem, name);
  }
  if (hasMalformedBody) return "The body must be JSON";
  const [first] = malformed;
  if (first !== undefined) return mistyped(first.name);
  const pointer = (type: string) => `${operationPointer(listed)}/requestBody/content/${escapeKey(type)}/schema`;
  const as = body?.as ?? compiled.bodies?.find(({ form }) => form === "form" || form === "multipart");
  if (as !== undefined && (as.form === "form" || as.form === "multipart")) {
    const value = bodyValue(as, { values, body });
    if (value === undefined) return !isSent && as.required ? "The request must have a body" : undefined;
    if (!isSent && Object.keys(Object(value)).length === 0 && !as.required) return undefined;
    const problem = check(pointer(as.type), value);
    return problem && describe(problem);
  }
  if (!isSent) return compiled.bodies?.some(({ required }) => required) ? "The request must have a body" : undefined;
  if (body?.as.form !== "json") return undefined;
  const problem = check(pointer(body.as.type), body.value);
  return problem && `The body${problem.at === "" ? "" : ` at ${problem.at}`} ${problem.message}`;
}

/** What a check says about the parameter `name`, or about the field of a form in which the problem is. */
function describe({ at, message, missing }: NonNullable<ReturnType<SchemaCheck>>, name?: string): string {
  const [, first = "", ...inside] = at.split("/");
  if (name === undefined && at === "" && missing !== undefined) return `Missing '${missing}' argument`;
  const [subject, place] = name === undefined ? [first, inside.join("/")] : [name, at.slice(1)];
  return `Argument '${subject}'${place === "" ? "" : ` at ${place}`} ${message}`;
}

/** Replaces files with the descriptions that cases use, and a body with its text. */
async function describeFiles(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(describeFiles));
  if (value instanceof File) return { name: value.name, type: value.type, text: await value.text() };
  return value instanceof Blob ? value.text() : value;
}

/** The value of a header, whose name is in lower case. */
export function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}
