import type { IncomingMessage } from "node:http";
import {
  type ContractDocument,
  type MediaTypeObject,
  type ParameterObject,
  resolve,
  type Schema,
} from "../../contract/rest/document.js";
import type { ListedOperation } from "../../contract/rest/operations.js";
import { mediaType } from "../../http/media-type.js";
import { receiveBody } from "../../http/receive-body.js";
import {
  decodeField,
  fieldOfParameter,
  fieldsOfForm,
  isJsonType,
  malformed,
  parseJson,
  propertiesOf,
  type Texts,
} from "../../request/decode-field.js";
import { BodyError, piecesOf, type ReadBody } from "../../server/rest/body-reader.js";
import type { RouteMatch } from "../../server/rest/match-route.js";
import { createMemoryBudget, defaultMemoryLimits } from "../../server/rest/memory-budget.js";
import { defaultBodyLimits, readBody } from "../../server/rest/read-body.js";
import { escapeKey, operationPointer, type SchemaCheck } from "./schema-check.js";

/** All requests share one budget, because the mock cannot tell callers apart. */
const openShare = createMemoryBudget({ ...defaultMemoryLimits, maxBytesPerCaller: defaultMemoryLimits.maxBytes });

/** A request in the form that cases use. */
export interface SentRequest {
  /** Parameters of the path and the query, and the fields of a form. A file is its name, type and text. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  /** A body that is no form. Undefined without one. */
  readonly body?: unknown;
  /** Sorted names of fields that the operation does not have. */
  readonly unknown: readonly string[];
}

/** A valid request, or why it is refused. */
export type ReadRequest =
  | { readonly kind: "valid"; readonly sent: SentRequest }
  | { readonly kind: "invalid"; readonly status: number; readonly message: string };

/** A request whose operation is known. */
export interface RoutedRequest {
  readonly listed: ListedOperation;
  readonly request: IncomingMessage;
  /** The values of the path. */
  readonly match: Pick<Extract<RouteMatch, { kind: "found" }>, "path" | "rawPath">;
  readonly query: Texts;
}

/** Reads, decodes and checks a request. Fields of a form may also be in the query. */
export async function readRequest(
  document: ContractDocument,
  check: SchemaCheck,
  routed: RoutedRequest,
): Promise<ReadRequest> {
  const memory = openShare("");
  const { requestBody } = routed.listed.operation;
  const body = requestBody === undefined ? emptyBody : await receive(routed.request, memory.take);
  try {
    if (body.kind === "aborted") return invalid(400, "The request ended before its body did");
    if (body.kind === "refused") return invalid(body.status, body.message);
    const { left, ...parameters } = readParameters(document, check, routed);
    const content = await readContent(document, check, routed, body, left);
    if (content.kind === "unsupported") return invalid(415, content.message);
    const problem = parameters.problem ?? content.problem;
    if (problem !== undefined) return invalid(400, problem);
    const { headers } = parameters;
    const fields = { ...parameters.fields, ...content.fields };
    return {
      kind: "valid",
      sent: { fields, headers, body: content.body, unknown: [...new Set(content.unknown)].sort() },
    };
  } finally {
    memory.release();
    if (body.kind === "read") await body.dispose();
  }
}

function invalid(status: number, message: string): ReadRequest {
  return { kind: "invalid", status, message };
}

type ReceivedBody = Extract<ReadBody, { kind: "read" }> & { readonly bytes: Buffer };

const emptyBody: ReceivedBody = {
  kind: "read",
  fields: [],
  files: [],
  bytes: Buffer.of(),
  dispose: () => Promise.resolve(),
};

const isForm = (type: string) => /^(application\/x-www-form-urlencoded|multipart\/form-data)$/i.test(mediaType(type));

async function receive(
  request: IncomingMessage,
  hold: (bytes: number) => boolean,
): Promise<ReceivedBody | Exclude<ReadBody, { kind: "read" }>> {
  const header = (name: string) => singleHeader(request, name);
  if (isForm(header("content-type") ?? "")) {
    const body = await readBody(receiveBody(request), header, { hold });
    return body.kind === "read" ? { ...body, bytes: Buffer.of() } : body;
  }
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of piecesOf(receiveBody(request), defaultBodyLimits.uploadBytes)) {
      if (!hold(piece.length))
        return { kind: "refused", status: 503, message: "The mock has no memory left; try again later" };
      pieces.push(piece);
    }
    return { ...emptyBody, bytes: Buffer.concat(pieces) };
  } catch (error) {
    if (error instanceof BodyError) return error.reason;
    throw error;
  }
}

interface ReadParameters {
  readonly fields: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly problem?: string | undefined;
  /** The texts of the query that belong to no parameter. */
  readonly left: Texts;
}

function readParameters(document: ContractDocument, check: SchemaCheck, routed: RoutedRequest): ReadParameters {
  const { listed, request, match, query } = routed;
  const cookies = [...(singleHeader(request, "cookie") ?? "").matchAll(/([^=;\s]+)=([^;]*)/g)];
  const texts: Record<ParameterObject["in"], Texts> = {
    path: Object.entries(match.path).map(([name, text]) => [name, text, match.rawPath[name]]),
    query,
    cookie: cookies.map(([, name = "", value = ""]) => [name, value]),
    header: [],
  };
  const fields: Record<string, unknown> = {};
  const headers: Record<string, unknown> = {};
  const taken: string[] = [];
  const problems: string[] = [];
  for (const [index, given] of (listed.operation.parameters ?? []).entries()) {
    const parameter = resolve<ParameterObject>(document, given);
    const { name, in: place } = parameter;
    const header = place === "header" ? singleHeader(request, name.toLowerCase()) : undefined;
    const field = fieldOfParameter(parameter);
    const value = decodeField(document, field, header === undefined ? texts[place] : [[name, header]]);
    if (place === "query") taken.push(name, ...Object.keys(propertiesOf(document, field.schema)));
    if (value === undefined) {
      if (parameter.required) problems.push(`Missing '${name}' argument`);
    } else if (value === malformed) problems.push(`Argument '${name}' must be JSON text`);
    else {
      const [media] = Object.keys(parameter.content ?? {});
      const at = "$ref" in given ? given.$ref.slice(1) : `${operationPointer(listed)}/parameters/${index}`;
      const schema = media === undefined ? `${at}/schema` : `${at}/content/${escapeKey(media)}/schema`;
      problems.push(...describe(check(schema, value), name));
      if (place === "header") headers[name] = value;
      else if (place !== "cookie") fields[name] = value;
    }
  }
  const left = query.filter(([name]) => !taken.includes(name.replace(/\[.*/s, "")));
  return { fields, headers, problem: problems[0], left };
}

/** What a check says about the parameter or field `name`, or about the field of a form in which the problem is. */
function describe(problem: ReturnType<SchemaCheck>, name?: string): string[] {
  if (problem === undefined) return [];
  const [, first = "", ...inside] = problem.at.split("/");
  if (name === undefined && problem.at === "" && problem.missing !== undefined)
    return [`Missing '${problem.missing}' argument`];
  const [subject, place] = name === undefined ? [first, inside.join("/")] : [name, problem.at.slice(1)];
  return [`Argument '${subject}'${place === "" ? "" : ` at ${place}`} ${problem.message}`];
}

interface ReadContent {
  readonly kind: "read";
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly unknown: readonly string[];
  readonly problem?: string | undefined;
}

async function readContent(
  document: ContractDocument,
  check: SchemaCheck,
  { listed, request }: RoutedRequest,
  body: ReceivedBody,
  query: Texts,
): Promise<ReadContent | { readonly kind: "unsupported"; readonly message: string }> {
  const { content = {}, required } = listed.operation.requestBody ?? {};
  const contentType = singleHeader(request, "content-type") ?? "";
  const sent = findMedia(content, contentType);
  const isSent = body.bytes.length > 0 || body.fields.length + body.files.length > 0;
  if (isSent && sent === undefined) {
    const types = Object.keys(content).join(" or ");
    const given = contentType === "" ? "A body without Content-Type" : `Content-Type '${contentType}'`;
    return { kind: "unsupported", message: `${given} is not supported; send ${types}` };
  }
  // An empty form has no bytes, and needs no type.
  const type = sent ?? Object.keys(content).find(isForm);
  const media = content[type ?? ""];
  const names = query.map(([name]) => name);
  const schema = `${operationPointer(listed)}/requestBody/content/${escapeKey(type ?? "")}/schema`;
  if (type !== undefined && media !== undefined && isForm(type))
    return readForm(document, media, body, query, (value) => check(schema, value));
  if (!isSent || media === undefined)
    return { kind: "read", unknown: names, ...(required ? { problem: "The request must have a body" } : {}) };
  if (!isJsonType(contentType)) return { kind: "read", unknown: names, body: body.bytes.toString() };
  const value = parseJson(body.bytes.toString());
  if (value === malformed) return { kind: "read", unknown: names, problem: "The body must be JSON" };
  const problem = check(schema, value);
  const place = problem?.at === "" ? "" : ` at ${problem?.at}`;
  return { kind: "read", unknown: names, body: value, problem: problem && `The body${place} ${problem.message}` };
}

/** The media type of a request body that a Content-Type belongs to; ranges such as `text/*` last (OpenAPI 3.1, "Request Body Object"). */
function findMedia(content: Readonly<Record<string, MediaTypeObject>>, contentType: string): string | undefined {
  const sent = mediaType(contentType);
  const types = Object.keys(content);
  const [main = ""] = sent.split("/");
  return (
    types.find((type) => mediaType(type) === sent) ??
    // Any form can carry the same fields.
    types.find((type) => isForm(type) && isForm(sent)) ??
    types.find((type) => type === `${main}/*`) ??
    types.find((type) => type === "*/*")
  );
}

async function readForm(
  document: ContractDocument,
  media: MediaTypeObject,
  body: ReceivedBody,
  query: Texts,
  check: (value: unknown) => ReturnType<SchemaCheck>,
): Promise<ReadContent> {
  const texts = [...query, ...body.fields];
  const known = fieldsOfForm(document, media);
  const names = new Set(known.map(({ name }) => name));
  const files = new Map(body.files);
  // Servers take the file of an upload under any name.
  const [nameless, ...others] = [...files.keys()].filter((name) => !names.has(name));
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const field of known) {
    const { name } = field;
    const file =
      files.get(name) ??
      (isFile(document, field.schema) && others.length === 0 ? files.get(nameless ?? "") : undefined);
    const value = file ?? decodeField(document, field, texts);
    if (value === malformed) problems.push(`Argument '${name}' must be JSON text`);
    else if (value !== undefined) values[name] = value;
  }
  const isText = ([, value]: [string, unknown]) => !(value instanceof File);
  const checked = Object.entries(values).map((entry) => (isText(entry) ? entry : [entry[0], ""]));
  const missing = problems.length > 0 ? [] : describe(check(Object.fromEntries(checked)));
  const fields = await Promise.all(
    Object.entries(values).map(async ([name, value]) => [name, await describeFile(value)]),
  );
  return {
    kind: "read",
    fields: Object.fromEntries(fields),
    unknown: texts.map(([name]) => name).filter((name) => !names.has(name.replace(/\[.*/s, ""))),
    problem: [...problems, ...missing][0],
  };
}

/** Whether a field is a file: bytes in 3.0 and 3.1. */
function isFile(document: ContractDocument, given: Schema): boolean {
  const { format, contentMediaType } = resolve<Schema>(document, given);
  return format === "binary" || contentMediaType !== undefined;
}

/** Replaces a file with the description that cases use. */
async function describeFile(value: unknown): Promise<unknown> {
  return value instanceof File ? { name: value.name, type: value.type, text: await value.text() } : value;
}

/** The value of a header, whose name is in lower case. */
export function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}
