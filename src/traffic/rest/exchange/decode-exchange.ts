import { createHash } from "node:crypto";
import { jsonExcess, parseBoundedJson } from "../../../base/parse-json.js";
import type { ProbedParameter } from "../../../contract/rest/probed-operation.js";
import { maskedText } from "../../../judge/mask.js";
import {
  bodyValue,
  type DecodedRequest,
  decode,
  findBody,
  isFormType,
  type Malformed,
  type MessageBody,
  type ReadField,
  withTextParts,
} from "../../../request/decode.js";
import { type SentText, textsOfQuery } from "../../../request/style.js";
import type { ReadBody } from "../../../server/rest/body-reader.js";
import type { RouteMatch } from "../../../server/rest/match-route.js";
import { readBody } from "../../../server/rest/read-body.js";
import { spooledPath } from "../../../server/rest/spool.js";
import { decompress } from "../../recorded/decompress.js";
import type { RecordedExchange } from "../../recorded/recorded-exchange.js";
import type { OperationAtLevel, OperationsAtLevel } from "./operations-at-level.js";

/** The target of a path. */
export type RestDestination =
  | {
      readonly kind: "operation";
      readonly operation: OperationAtLevel;
      readonly path: readonly SentText[];
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
  readonly answerText?: string;
}

/** A request and its response, decoded as far as possible, for the judges of requests and responses. */
export interface ReadExchange extends DecodedExchange {
  /** In upper case; `HEAD` counts as `GET`. */
  readonly method: string;
  /** Below the path of the API, or the whole path of a request outside it. */
  readonly path: string;
  readonly destination: RestDestination;
  readonly query: readonly SentText[];
  readonly body: SeenBody;
  /** The value that a schema of the body describes, with the media type that has this schema. Undefined without a body that could be read. */
  readonly bodyValue?: { readonly type: string; readonly value: unknown } | undefined;
  /** The fields of the query string and the body. */
  readonly fields: readonly ReadField[];
  /** Parameters whose text does not match their type. */
  readonly malformed: readonly Malformed[];
  /** The texts of parameters by name. */
  readonly texts: ReadonlyMap<string, string>;
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
  const query = textsOfQuery(search);
  const operation = destination.kind === "operation" ? destination.operation : undefined;
  const given = operation === undefined ? noBody : await readRequestBody(recorded, operation);
  const decoded = destination.kind === "operation" ? decodeRequest(recorded, destination, query, given) : undefined;
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
    body: decoded?.hasMalformedBody ? { kind: "refused", status: 400, reason: "the body is not JSON" } : given,
    bodyValue: decoded?.body && { type: decoded.body.as.type, value: bodyValue(decoded.body.as, decoded) },
    fields: decoded?.fields ?? [],
    malformed: decoded?.malformed ?? [],
    texts: decoded?.texts ?? new Map(),
    answerText,
  };
}

function decodeRequest(
  { request: { headers } }: RecordedExchange,
  { operation, path }: Extract<RestDestination, { kind: "operation" }>,
  query: readonly SentText[],
  body: SeenBody,
): DecodedRequest {
  const type = headers["content-type"];
  // What has another type than the contract says is read as if it had the right one.
  const documented = findBody(operation.request, type)?.type ?? operation.request.bodies?.[0]?.type;
  const sent = operation.beginsProtocol ? {} : { ...headers, "content-type": isFormType(type) ? type : documented };
  const message = body.kind === "read" ? body.message : undefined;
  const decoded = decode(operation.request, { path, query, headers: sent, body: message });
  const masked = operation.parameters.filter((one) => isMasked(one, decoded.texts.get(one.name)));
  return {
    ...decoded,
    values: { ...decoded.values, ...Object.fromEntries(masked.map(({ name }) => [name, maskedText])) },
    malformed: decoded.malformed.filter(({ name }) => !masked.some((one) => one.name === name)),
  };
}

/** Whether a parameter is a header or cookie. */
export function isInHead({ place }: ProbedParameter): boolean {
  return place === "header" || place === "cookie";
}

/** Whether a recording shows no more of a value than that it was sent. */
export function isMasked(parameter: ProbedParameter, value: unknown): boolean {
  return isInHead(parameter) && value === maskedText;
}

function destinationOf(method: string, path: string, contract: OperationsAtLevel): RestDestination {
  const match = contract.route(method, path);
  if (match.kind === "found") {
    const operation = contract.operations.get(match.operationId);
    const texts = Object.entries(match.path).map(([name, text]): SentText => [name, text, match.rawPath[name]]);
    if (operation !== undefined) return { kind: "operation", operation, path: texts };
  }
  const anywhere = contract.all.route(method, path);
  if (anywhere.kind === "found") return { kind: "other-level", operationId: anywhere.operationId };
  if (contract.all.isProtocolPath(path)) return { kind: "protocol" };
  return { kind: "unknown", allow: allowed(match) };
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
export type SeenBody =
  | { readonly kind: "read"; readonly message?: MessageBody }
  | { readonly kind: "unread"; readonly reason: string }
  /** The body does not have the form that the contract describes. */
  | { readonly kind: "refused"; readonly status: number; readonly reason: string };

/** Why a body was not judged. */
export const notKept = "it is too large, or was not recorded";

const noBody: SeenBody = { kind: "read" };

/** Reads the body of a request to an operation: a form, or anything else as bytes. */
async function readRequestBody({ request }: RecordedExchange, operation: OperationAtLevel): Promise<SeenBody> {
  const { body, headers } = request;
  // The protocol defines the body of such a request.
  if (operation.beginsProtocol || request.bodyBytes === 0) return noBody;
  if (body === undefined) return { kind: "unread", reason: notKept };
  const type = headers["content-type"];
  const { bodies = [] } = operation.request;
  const takesForms = bodies.length === 0 || bodies.some((one) => isFormType(one.type));
  if (!isFormType(type) && bodies.some((one) => !isFormType(one.type))) {
    if (jsonExcess(Buffer.from(body).toString("utf8")) !== undefined)
      return { kind: "unread", reason: "its JSON is too large" };
    return { kind: "read", message: { kind: "bytes", bytes: body } };
  }
  if (!takesForms) return { kind: "refused", status: 415, reason: "the body is a form" };
  const read: ReadBody = await readBody(once(body), (name) => headers[name]);
  switch (read.kind) {
    case "read": {
      const files = await Promise.all(read.files.map(inMemory));
      await read.dispose();
      const form = await withTextParts(operation.request, { fields: read.fields, files });
      return { kind: "read", message: { kind: "form", ...form } };
    }
    case "refused":
      return { kind: "refused", status: read.status, reason: read.message };
    case "aborted":
      return { kind: "unread", reason: "the client did not send all of it" };
  }
}

/** Copies a file from the disk, because the reports are written after it has been removed. */
async function inMemory([name, file]: readonly [string, File]): Promise<readonly [string, Blob]> {
  if (spooledPath(file) === undefined) return [name, file];
  return [name, new File([await file.arrayBuffer()], file.name, { type: file.type })];
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
