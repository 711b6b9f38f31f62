import type { CallStep, SentAs } from "../../contract/check.js";
import type { ProbedOperation, ProbedParameter } from "../../contract/rest/probed-operation.js";
import { bytesOf } from "../../judge/bytes.js";
import type { HttpPart } from "../../judge/http-message.js";
import { type Delimited, isWritable, joinDelimited, writePrimitive, writeStyled } from "../../request/style.js";
import { describedFile, isFileDescription } from "./described-file.js";
import type { ReadyRequest } from "./send-request.js";

/** An encoded parameter. */
export type WireField = readonly [name: string, value: HttpPart[1] | Delimited];

/** A request with encoded values that is not yet serialized, so that a probe can change it. */
export interface WireRequest {
  readonly method: string;
  /** The path template below the path of the API. */
  readonly template: string;
  /** The values of the template, percent-encoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly WireField[];
  readonly headers: readonly WireField[];
  readonly cookies: readonly WireField[];
  readonly body: readonly WireField[];
  readonly bodyAs: WireBody;
}

/** How to serialize the fields of a body. */
export type WireBody =
  | { readonly kind: "form"; readonly type?: string }
  | { readonly kind: "multipart" }
  /** The values of the fields are JSON. The name `wholeBody` stands for the whole body. Without fields, a required body is an empty object. */
  | { readonly kind: "json"; readonly type: string; readonly isRequired: boolean }
  /** Replaces the fields with this text, or these bytes. */
  | { readonly kind: "raw"; readonly type: string; readonly content: string | Buffer };

/** The name of the only field of a JSON body that is the whole body. */
const wholeBody = "";

/**
 * Encodes the parameters of a call, without credentials. Those that the operation lacks are sent as text. `written` lists those that are not
 * sent as the operation says.
 */
export function wireRequest(
  operation: ProbedOperation,
  values: Readonly<Record<string, unknown>>,
  written: CallStep["written"] = {},
): WireRequest {
  const empty = { path: {}, query: [], headers: [], cookies: [], body: [] };
  let wire: WireRequest = {
    ...empty,
    method: operation.method,
    template: operation.path,
    bodyAs: blankBody(operation, written),
  };
  for (const [name, value] of Object.entries(values)) {
    const parameter = parameterOf(operation, name);
    const how = written[name];
    if (value === undefined || how === "omitted" || !isWritten(operation, parameter, value)) continue;
    if (how === "verbatim" && parameter?.place === "path") {
      wire = { ...wire, path: { ...wire.path, [name]: String(value) } };
      continue;
    }
    if (operation.body === "raw" && parameter?.wireName === null) {
      wire = { ...wire, bodyAs: rawBody(operation, value) };
      continue;
    }
    const wireName = parameter?.wireName === null ? wholeBody : (parameter?.wireName ?? name);
    const isText = how === "text" || how === "verbatim";
    const fields: WireField[] = isText ? [[wireName, String(value)]] : fieldsOf(operation, parameter, wireName, value);
    for (const field of how === "twice" ? [...fields, ...fields] : fields)
      wire = how === "query" ? { ...wire, query: [...wire.query, field] } : withField(operation, wire, name, field);
  }
  return wire;
}

/** Whether a value has a form in which it is sent. Without JSON, null has none. */
function isWritten(operation: ProbedOperation, parameter: ProbedParameter | undefined, value: unknown): boolean {
  return value !== null || parameter?.json === true || isInJson(operation, parameter);
}

function isInJson(operation: ProbedOperation, parameter: ProbedParameter | undefined): boolean {
  return operation.body === "json" && placeOf(operation, parameter) === "body";
}

/** The name of a parameter whose value has lists or objects in it, although OpenAPI leaves open how its style writes these. */
export function findUnwritable(
  { parameters }: ProbedOperation,
  values: Readonly<Record<string, unknown>>,
  written: CallStep["written"] = {},
): string | undefined {
  const isOpen = ({ name, style, json, isFile }: ProbedParameter) => {
    const isText = written[name] === "text" || written[name] === "verbatim";
    return style !== undefined && !json && !isFile && !isText && !isWritable(values[name]);
  };
  return parameters.find(isOpen)?.name;
}

function blankBody(
  { body, mediaType = "", requiresBody = false, parameters }: ProbedOperation,
  written: Readonly<Record<string, unknown>>,
): WireBody {
  switch (body) {
    case "form":
    case "multipart":
      return { kind: body };
    case "json":
      return { kind: "json", type: mediaType, isRequired: isBodySent(parameters, requiresBody, written) };
    case "raw":
      return { kind: "form" };
  }
}

/** Whether there is a body of JSON without any field: an object whose only field is omitted, but not a whole body that is. */
function isBodySent(
  parameters: readonly ProbedParameter[],
  requiresBody: boolean,
  written: Readonly<Record<string, unknown>>,
): boolean {
  const omitted = parameters.filter(({ name, place }) => place === "body" && written[name] === "omitted");
  return omitted.length === 0 ? requiresBody : omitted.every(({ wireName }) => wireName !== null);
}

/** A body without fields: a text, or the bytes of a described file. */
function rawBody({ mediaType = "" }: ProbedOperation, value: unknown): WireBody {
  const isRange = mediaType.includes("*");
  if (!isFileDescription(value))
    return { kind: "raw", type: isRange ? "text/plain" : mediaType, content: String(value) };
  const { type = isRange ? "application/octet-stream" : mediaType, text = "", bytes = { text } } = value;
  return { kind: "raw", type, content: Buffer.from(bytesOf(bytes)) };
}

function parameterOf({ parameters }: ProbedOperation, name: string): ProbedParameter | undefined {
  return parameters.find((parameter) => parameter.name === name);
}

/**
 * Encodes a value: as JSON if the contract requires that, or if it is an array or object for which the contract gives no style.
 */
function fieldsOf(
  operation: ProbedOperation,
  parameter: ProbedParameter | undefined,
  name: string,
  value: unknown,
): WireField[] {
  // A list of files is a part for each.
  const parts = parameter?.isFile && Array.isArray(value) ? value : [value];
  return parts.flatMap((part): WireField[] => {
    const file = parameter?.isFile ? describedFile(part) : undefined;
    if (file !== undefined) return [[name, file]];
    const isObject = typeof part === "object" && part !== null;
    if (parameter?.json || isInJson(operation, parameter)) return [[name, JSON.stringify(part)]];
    const { style } = parameter ?? {};
    if (!isObject) return [[name, style === undefined ? String(part) : writePrimitive(style, name, String(part))]];
    const types = [parameter?.schema.type ?? []].flat();
    const isStyled = style !== undefined && types.includes(Array.isArray(part) ? "array" : "object");
    if (!isStyled) return [[name, JSON.stringify(part)]];
    return writeStyled(style, name, part);
  });
}

/** Gives a request another form than that of its operation. */
export function sentAs(wire: WireRequest, { method, type, multipart, body }: SentAs = {}): WireRequest {
  const changed = method === undefined ? wire : { ...wire, method, body: [] };
  if (body !== undefined) return { ...changed, bodyAs: { kind: "raw", type: type ?? "text/plain", content: body } };
  if (multipart) return { ...changed, bodyAs: { kind: "multipart" } };
  return type === undefined ? changed : { ...changed, bodyAs: { kind: "form", type } };
}

function placeOf({ method }: ProbedOperation, parameter: ProbedParameter | undefined): ProbedParameter["place"] {
  return parameter?.place ?? (method === "GET" || method === "HEAD" ? "query" : "body");
}

function withField(operation: ProbedOperation, wire: WireRequest, name: string, field: WireField): WireRequest {
  switch (placeOf(operation, parameterOf(operation, name))) {
    case "path":
      return { ...wire, path: { ...wire.path, [name]: textOf(field[1], encodeURIComponent) } };
    case "query":
      return { ...wire, query: [...wire.query, field] };
    case "header":
      return { ...wire, headers: [...wire.headers, field] };
    case "cookie":
      return { ...wire, cookies: [...wire.cookies, field] };
    case "body":
      return { ...wire, body: [...wire.body, field] };
  }
}

/** Serializes a request to the API at a URL. */
export function serializeRequest(wire: WireRequest, apiUrl: string): ReadyRequest {
  const path = wire.template.replace(/\{([^{}]+)\}/g, (_, name: string) => wire.path[name] ?? "");
  const query = formText(wire.query);
  const url = `${apiUrl.replace(/\/+$/, "")}${path}${query === "" ? "" : `?${query}`}`;
  const { type, ...body } = bodyOf(wire) ?? {};
  const cookies = wire.cookies.map(([name, value]) => `${name}=${textOf(value, encodeURIComponent)}`);
  const valuesOf = (name: string) => texts(wire.headers.filter(([other]) => other === name)).map(([, text]) => text);
  const headers = {
    // A header that is sent twice is a list (RFC 9110, section 5.3).
    ...Object.fromEntries(wire.headers.map(([name]) => [name, valuesOf(name).join(", ")])),
    ...(cookies.length === 0 ? {} : { Cookie: cookies.join("; ") }),
    ...(type === undefined ? {} : { "Content-Type": type }),
  };
  return { method: wire.method, url, headers, ...body };
}

function bodyOf({
  method,
  body,
  bodyAs,
}: WireRequest): (Pick<ReadyRequest, "body" | "bytes"> & { readonly type?: string }) | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  switch (bodyAs.kind) {
    case "raw":
      if (typeof bodyAs.content === "string") return { body: bodyAs.content, type: bodyAs.type };
      return { body: `${bodyAs.content.length} bytes`, bytes: bodyAs.content, type: bodyAs.type };
    case "multipart":
      // The sender chooses the boundary of a multipart body and with it the media type.
      return { body: body.map(([name, value]) => [name, value instanceof File ? value : textOf(value)]) };
    case "json": {
      if (body.length === 0 && !bodyAs.isRequired) return undefined;
      const [whole] = body.filter(([name]) => name === wholeBody);
      const members = texts(body).map(([name, text]) => `${JSON.stringify(name)}:${text}`);
      return { body: whole === undefined ? `{${members.join(",")}}` : String(whole[1]), type: bodyAs.type };
    }
    case "form": {
      if (body.length === 0) return undefined;
      const type = bodyAs.type ?? "application/x-www-form-urlencoded";
      return { body: formText(body), type };
    }
  }
}

function texts(fields: readonly WireField[]): [string, string][] {
  return fields.map(([name, value]) => [name, textOf(value)]);
}

/** A value as text; `encode` writes what is no separator of a list. */
function textOf(value: WireField[1], encode = (text: string) => text): string {
  const isPlain = typeof value === "string" || value instanceof File;
  return isPlain ? encode(String(value)) : joinDelimited(value, encode);
}

/** Fields in the form of a query string (URL Standard, "application/x-www-form-urlencoded serializing"). */
function formText(fields: readonly WireField[]): string {
  const encode = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return fields.map(([name, value]) => `${encode(name)}=${textOf(value, encode)}`).join("&");
}
