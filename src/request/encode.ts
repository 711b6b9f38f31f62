import { type Body, defaultPlace, inputsOf, mayBe, type Operation, type Parameter, wireNameOf } from "./operation.js";
import { type Delimited, isWritable, joinDelimited, writePrimitive, writeStyled } from "./style.js";

/** The parameters of a request by name. Files are of type `Blob`. */
export type RequestValues = Readonly<Record<string, unknown>>;

/**
 * How a parameter is sent if not as the operation says: its value is encoded already, or not even to be percent-encoded in a path (`verbatim`); it
 * is sent twice, in the query string, or not at all.
 */
export type Written = "text" | "verbatim" | "twice" | "query" | "omitted";

/** A part of a `multipart/form-data` body. */
export type Part = readonly [name: string, value: string | Blob];

/** An encoded parameter. */
export type WireField = readonly [name: string, value: Part[1] | Delimited];

/** A request with encoded values that is not yet serialized, so that it can be changed. */
export interface WireRequest {
  readonly method: string;
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
  /** The values of the fields are JSON. The empty name stands for the whole body. Without fields, a required body is an empty object. */
  | { readonly kind: "json"; readonly type: string; readonly isRequired: boolean }
  /** Replaces the fields. */
  | { readonly kind: "raw"; readonly type: string; readonly content: string | Blob };

/** A request, relative to the URL of the API. */
export interface EncodedRequest {
  readonly method: string;
  /** With percent-encoded values. */
  readonly path: string;
  /** The query string without `?`, possibly empty. */
  readonly query: string;
  /** Without `Content-Type`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: EncodedBody;
}

/** A body with its media type, or the parts of a multipart body, whose sender chooses the boundary. */
export type EncodedBody =
  | { readonly kind: "content"; readonly type: string; readonly content: string | Blob }
  | { readonly kind: "parts"; readonly parts: readonly Part[] };

/**
 * Encodes the parameters of a request. Omits those that are undefined, or null where JSON is not sent. Sends those that the operation lacks as
 * text, because servers ignore them. Throws a `TypeError` if a value of the path is missing, empty, `.` or `..`, or if OpenAPI leaves open how a
 * value is written.
 */
export function encode(operation: Operation, values: RequestValues): EncodedRequest {
  const open = findUnwritable(operation, values);
  if (open !== undefined) throw new TypeError(`OpenAPI leaves open how ${open} is written: it holds lists or objects`);
  const wire = writeRequest(operation, values);
  for (const [, name = ""] of operation.path.matchAll(/\{([^{}]+)\}/g)) {
    const text = wire.path[name];
    if (text === undefined) throw new TypeError(`${operation.method} ${operation.path} needs a value for ${name}`);
    // Dot segments change the endpoint even when encoded (RFC 3986, section 5.2.4).
    if (/^\.{0,2}$/.test(text)) throw new TypeError(`${name} is a path segment and cannot be ${JSON.stringify(text)}`);
  }
  return serialize(wire);
}

/** Encodes the parameters of a request. `written` lists those that are not sent as the operation says. */
export function writeRequest(
  operation: Operation,
  values: RequestValues,
  written: Readonly<Record<string, Written>> = {},
): WireRequest {
  const [body] = operation.bodies ?? [];
  const inputs = inputsOf(operation);
  const path: Record<string, string> = {};
  const fields: Record<"query" | "header" | "cookie" | "body", WireField[]> = {
    query: [],
    header: [],
    cookie: [],
    body: [],
  };
  let bodyAs = blankBody(body, written);
  for (const [name, value] of Object.entries(values)) {
    const parameter = inputs.find((one) => one.name === name);
    const place = parameter?.place ?? defaultPlace(operation);
    const isJson = parameter?.json ?? (place === "body" && body?.form === "json");
    const how = written[name];
    if (value === undefined || how === "omitted" || (value === null && !isJson)) continue;
    if (body?.form === "raw" && parameter?.wireName === null) {
      bodyAs = rawBody(body, value);
      continue;
    }
    const wireName = parameter === undefined ? name : wireNameOf(parameter);
    const isText = how === "text" || how === "verbatim";
    const own: WireField[] = isText ? [[wireName, String(value)]] : writeFields(parameter, isJson, wireName, value);
    if (place === "path") {
      for (const [, text] of own) path[wireName] = textOf(text, how === "verbatim" ? undefined : encodeURIComponent);
    } else {
      const times = how === "twice" ? [...own, ...own] : own;
      fields[how === "query" ? "query" : place].push(...times);
    }
  }
  const { query, header: headers, cookie: cookies } = fields;
  return {
    method: operation.method,
    template: operation.path,
    path,
    query,
    headers,
    cookies,
    body: fields.body,
    bodyAs,
  };
}

/** The name of a parameter whose value has lists or objects in it, although OpenAPI leaves open how its style writes these. */
export function findUnwritable(
  operation: Operation,
  values: RequestValues,
  written: Readonly<Record<string, Written>> = {},
): string | undefined {
  const isOpen = ({ name, style }: Parameter) =>
    style !== undefined && written[name] !== "text" && written[name] !== "verbatim" && !isWritable(values[name]);
  return inputsOf(operation).find(isOpen)?.name;
}

function blankBody(body: Body | undefined, written: Readonly<Record<string, Written>>): WireBody {
  switch (body?.form) {
    case "multipart":
      return { kind: "multipart" };
    case "json":
      return { kind: "json", type: body.type, isRequired: isBodySent(body, written) };
    default:
      return { kind: "form" };
  }
}

/** Whether there is a body of JSON without any field: an object whose only field is omitted, but not a whole body that is. */
function isBodySent({ fields, required = false }: Body, written: Readonly<Record<string, Written>>): boolean {
  const omitted = fields.filter(({ name }) => written[name] === "omitted");
  return omitted.length === 0 ? required : omitted.every(({ wireName }) => wireName !== null);
}

/** A body without fields. A file has a type of its own. */
function rawBody({ type }: Body, value: unknown): WireBody {
  const isRange = type.includes("*");
  if (value instanceof Blob)
    return { kind: "raw", type: value.type || (isRange ? "application/octet-stream" : type), content: value };
  return { kind: "raw", type: isRange ? "text/plain" : type, content: plainText(value) };
}

function plainText(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function writeFields(parameter: Parameter | undefined, isJson: boolean, name: string, value: unknown): WireField[] {
  const values = parameter?.isFile && Array.isArray(value) ? value : [value];
  return values.flatMap((one): WireField[] => {
    if (one instanceof Blob) return [[name, one]];
    if (isJson) return [[name, JSON.stringify(one)]];
    const { style } = parameter ?? {};
    if (typeof one !== "object")
      return [[name, style === undefined ? String(one) : writePrimitive(style, name, String(one))]];
    const isStyled = parameter !== undefined && mayBe(parameter, Array.isArray(one) ? "array" : "object");
    return style !== undefined && isStyled ? writeStyled(style, name, one) : [[name, JSON.stringify(one)]];
  });
}

/** Serializes a request. */
export function serialize(wire: WireRequest): EncodedRequest {
  const path = wire.template.replace(/\{([^{}]+)\}/g, (_, name: string) => wire.path[name] ?? "");
  const cookies = wire.cookies.map(([name, value]) => `${name}=${textOf(value, encodeURIComponent)}`);
  const headers: Record<string, string> = {};
  // A header that is sent twice is a list (RFC 9110, section 5.3).
  for (const [name, value] of wire.headers)
    headers[name] = name in headers ? `${headers[name]}, ${textOf(value)}` : textOf(value);
  if (cookies.length > 0) headers.Cookie = cookies.join("; ");
  const body = serializeBody(wire);
  return { method: wire.method, path, query: formText(wire.query), headers, ...(body && { body }) };
}

function serializeBody({ method, body, bodyAs }: WireRequest): EncodedBody | undefined {
  if (method === "GET" || method === "HEAD") return undefined;
  switch (bodyAs.kind) {
    case "raw":
      return { kind: "content", type: bodyAs.type, content: bodyAs.content };
    case "multipart":
      return {
        kind: "parts",
        parts: body.map(([name, value]) => [name, value instanceof Blob ? value : textOf(value)]),
      };
    case "json": {
      if (body.length === 0 && !bodyAs.isRequired) return undefined;
      const whole = body.find(([name]) => name === "");
      const members = body.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`);
      const content = whole === undefined ? `{${members.join(",")}}` : textOf(whole[1]);
      return { kind: "content", type: bodyAs.type, content };
    }
    case "form": {
      const { type = "application/x-www-form-urlencoded" } = bodyAs;
      return body.length === 0 ? undefined : { kind: "content", type, content: formText(body) };
    }
  }
}

/** A value as text; `escapeText` writes what is no separator of a list. */
function textOf(value: WireField[1], escapeText = (text: string) => text): string {
  const isPlain = typeof value === "string" || value instanceof Blob;
  return isPlain ? escapeText(String(value)) : joinDelimited(value, escapeText);
}

/** Fields in the form of a query string (URL Standard, "application/x-www-form-urlencoded serializing"). */
function formText(fields: readonly WireField[]): string {
  const escapeText = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return fields.map(([name, value]) => `${escapeText(name)}=${textOf(value, escapeText)}`).join("&");
}
