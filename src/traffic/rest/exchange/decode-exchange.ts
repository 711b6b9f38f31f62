import { createHash } from "node:crypto";
import { jsonExcess, parseBoundedJson, parseJson } from "../../../base/parse-json.js";
import { bodyValues } from "../../../contract/rest/request-body.js";
import { mediaType } from "../../../http/media-type.js";
import { textsOfQuery } from "../../../request/style.js";
import type { ReadBody } from "../../../server/rest/body-reader.js";
import type { RouteMatch } from "../../../server/rest/match-route.js";
import { readBody } from "../../../server/rest/read-body.js";
import { spooledPath } from "../../../server/rest/spool.js";
import { decompress } from "../../recorded/decompress.js";
import type { RecordedExchange } from "../../recorded/recorded-exchange.js";
import { decodeParameters, type Field, headFields, joinStyledFields, pathFields } from "./decode-parameters.js";
import type { OperationAtLevel, OperationsAtLevel } from "./operations-at-level.js";

/** The target of a path. */
export type Destination =
  | {
      readonly kind: "operation";
      readonly operation: OperationAtLevel;
      readonly path: readonly Field[];
    }
  /** An operation that only other levels have. */
  | { readonly kind: "other-level"; readonly operationId: string }
  /** No operation has this path, or none with this method. */
  | { readonly kind: "unknown"; readonly allow: readonly string[] }
  /** A later request of a protocol that an operation began, such as tus. */
  | { readonly kind: "protocol" }
  /** The path is not below that of the API. */
  | { readonly kind: "outside" };

/** An exchange, decoded according to the contract. */
export interface DecodedExchange {
  readonly recorded: RecordedExchange;
  /** The `operationId`. Undefined if the contract of the server's level has no such operation. */
  readonly operation: string | undefined;
  /** The path of the server's API, such as `/api/v1`. */
  readonly prefix: string;
  /** The decoded parameters by name, from every part of the request. Those that could not be decoded are absent. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Identifies the credentials without showing them. Undefined if the request has none. */
  readonly caller: string | undefined;
  /** The body of the response, parsed. Undefined if it is not JSON. */
  readonly answer: unknown;
  /** The body of the response as text, decompressed; undefined if there is none or it is too large. Parsing rounds integers above 2^53. */
  readonly answerText?: string | undefined;
}

/** A request and its response, decoded as far as possible, for the judges of requests and responses. */
export interface ReadExchange extends DecodedExchange {
  /** In upper case; `HEAD` counts as `GET`. */
  readonly method: string;
  /** Below the path of the API, or the whole path of a request outside it. */
  readonly path: string;
  readonly destination: Destination;
  readonly query: readonly Field[];
  /** Cookies, and the headers that are parameters. */
  readonly head: readonly Field[];
  readonly body: RequestBody;
  /** Parameters whose text does not match their type. */
  readonly malformed: readonly { readonly name: string; readonly expected: string }[];
}

/**
 * Decodes an exchange by the contract of a level. `prefix` is the path of the server's API, such as
 * `/api/v1`. Never rejects because of the content of the exchange.
 */
export async function decodeExchange(
  recorded: RecordedExchange,
  contract: OperationsAtLevel,
  prefix: string,
): Promise<ReadExchange> {
  const { method, target, headers } = recorded.request;
  const [fullPath = "", search = ""] = target.replace(/^https?:\/\/[^/?]*/i, "").split(/[?#](.*)/s, 2);
  const routedMethod = method.toUpperCase() === "HEAD" ? "GET" : method.toUpperCase();
  const isInside = fullPath.startsWith(`${prefix}/`);
  const path = isInside ? fullPath.slice(prefix.length) : fullPath;
  const destination = isInside ? destinationOf(routedMethod, path, contract) : ({ kind: "outside" } as const);
  const sent = textsOfQuery(search);
  const operation = destination.kind === "operation" ? destination.operation : undefined;
  const inFields = operation && fieldsAnywhere(operation);
  const query = inFields === undefined ? sent : joinStyledFields(inFields, sent);
  const head = operation === undefined ? [] : headFields(operation, headers);
  const given = operation === undefined ? noFields : await readRequestBody(recorded, operation);
  const body =
    inFields === undefined || given.kind !== "fields" || operation?.body === "json"
      ? given
      : { ...given, fields: joinStyledFields(inFields, given.fields) };
  const { fields, files } = body.kind === "fields" ? body : noFields;
  const decoded =
    destination.kind === "operation"
      ? decodeParameters(destination.operation, destination.path, head, [...query, ...fields], files)
      : undefined;
  const answerText = textOf(recorded);
  return {
    recorded,
    operation: operation?.operationId,
    prefix,
    parameters: decoded?.values ?? {},
    caller: callerOf(headers),
    answer: answerText === undefined ? undefined : parseBoundedJson(answerText),
    method: routedMethod,
    path,
    destination,
    query,
    head,
    body,
    malformed: decoded?.malformed ?? [],
    answerText,
  };
}

function destinationOf(method: string, path: string, contract: OperationsAtLevel): Destination {
  const match = contract.route(method, path);
  if (match.kind === "found") {
    const operation = contract.operations.get(match.operationId);
    if (operation !== undefined) return { kind: "operation", operation, path: pathFields(operation, match) };
  }
  const anywhere = contract.all.route(method, path);
  if (anywhere.kind === "found") return { kind: "other-level", operationId: anywhere.operationId };
  if (contract.all.isProtocolPath(path)) return { kind: "protocol" };
  return { kind: "unknown", allow: allowed(match) };
}

/** The parameters of the query string and the body: each may be in either. */
function fieldsAnywhere({ document, parameters }: OperationAtLevel): Pick<OperationAtLevel, "document" | "parameters"> {
  return { document, parameters: parameters.filter(({ place }) => place === "query" || place === "body") };
}

function allowed(match: RouteMatch): readonly string[] {
  return match.kind === "method-not-allowed" ? match.allow : [];
}

/** Identifies credentials by a digest, so that they are never kept or shown. */
function callerOf({ authorization, cookie }: Readonly<Record<string, string>>): string | undefined {
  const credentials = authorization ?? cookie;
  if (credentials === undefined) return undefined;
  return createHash("sha256").update(credentials).digest("base64url").slice(0, 12);
}

function textOf({ response }: RecordedExchange): string | undefined {
  if (response?.body === undefined) return undefined;
  const read = decompress(response.body, response.headers["content-encoding"]);
  if (read.kind !== "read") return undefined;
  const { buffer, byteOffset, byteLength } = read.value;
  return Buffer.from(buffer, byteOffset, byteLength).toString("utf8");
}

/** The body of a request, as far as it could be read. */
export type RequestBody =
  | { readonly kind: "fields"; readonly fields: readonly Field[]; readonly files: readonly (readonly [string, Blob])[] }
  | { readonly kind: "unread"; readonly reason: string }
  /** The body does not have the form that the contract describes. */
  | { readonly kind: "refused"; readonly status: number; readonly reason: string };

/** Why a body was not judged. */
export const notKept = "it is too large, or was not recorded";

/** A body without fields. */
const noFields = { kind: "fields", fields: [], files: [] } as const satisfies RequestBody;

/** Reads the body of a request to an operation: a form, JSON, whose members are fields, or anything else, which is one field. */
async function readRequestBody({ request }: RecordedExchange, operation: OperationAtLevel): Promise<RequestBody> {
  const { body, headers } = request;
  // The protocol defines the body of such a request.
  if (operation.beginsProtocol || request.bodyBytes === 0) return noFields;
  if (body === undefined) return { kind: "unread", reason: notKept };
  const isForm = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)$/.test(
    mediaType(headers["content-type"]),
  );
  if (operation.body === "json" || operation.body === "raw") {
    if (!isForm) return operation.body === "json" ? jsonFields(body, operation) : rawField(body, operation);
    const isDocumented = operation.mediaTypes.some((type) => mediaType(type) === mediaType(headers["content-type"]));
    const reason = "a form, and the contract also documents another body";
    return isDocumented ? { kind: "unread", reason } : { kind: "refused", status: 415, reason: "the body is a form" };
  }
  const read: ReadBody = await readBody(once(body), (name) => headers[name]);
  switch (read.kind) {
    case "read": {
      const files = await Promise.all(read.files.map(inMemory));
      await read.dispose();
      return { kind: "fields", fields: read.fields, files };
    }
    case "refused":
      return { kind: "refused", status: read.status, reason: read.message };
    case "aborted":
      return { kind: "unread", reason: "the client did not send all of it" };
  }
}

function jsonFields(bytes: Uint8Array, { fieldsOfBody }: OperationAtLevel): RequestBody {
  const text = Buffer.from(bytes).toString("utf8");
  if (jsonExcess(text) !== undefined) return { kind: "unread", reason: "its JSON is too large" };
  const value = parseJson(text);
  if (value === undefined) return { kind: "refused", status: 400, reason: "the body is not JSON" };
  const values = fieldsOfBody === undefined ? {} : bodyValues(fieldsOfBody, value);
  const fields = Object.entries(values).map(([name, one]) => [name, JSON.stringify(one)] as const);
  return { ...noFields, fields };
}

function rawField(bytes: Uint8Array, { fieldsOfBody, parameters }: OperationAtLevel): RequestBody {
  const [{ name } = { name: "body" }] = fieldsOfBody?.fields ?? [];
  const text = Buffer.from(bytes).toString("utf8");
  return parameters.some((one) => one.name === name && one.isFile)
    ? { kind: "fields", fields: [], files: [[name, new Blob([Buffer.from(bytes)])]] }
    : { kind: "fields", fields: [[name, text]], files: [] };
}

/** Copies a file from the disk, because the reports are written after it has been removed. */
async function inMemory([name, file]: readonly [string, File]): Promise<readonly [string, Blob]> {
  if (spooledPath(file) === undefined) return [name, file];
  return [name, new File([await file.arrayBuffer()], file.name, { type: file.type })];
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
