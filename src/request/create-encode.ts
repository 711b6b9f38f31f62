import { percentEncode } from "../base/percent-encode.js";
import { typeInRange } from "../http/media-type.js";
import { type Body, defaultPlace, inputsOf, type Operation, type Parameter, type Place } from "./operation.js";
import type { FieldText, StyledField } from "./style.js";

/** The parameters of a request by name. Files are of type `Blob`. */
export type RequestValues = Readonly<Record<string, unknown>>;

/** A part of a `multipart/form-data` body. The type is that of a text, unless it is plain text. */
export type Part = readonly [name: string, value: string | Blob, type?: string | undefined];

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

/** Writes a value in the style of its parameter. */
export type WriteStyled = (parameter: Parameter, name: string, value: unknown) => readonly StyledField[];

/** Encodes the parameters of a request. */
export type Encode = (operation: Operation, values: RequestValues) => EncodedRequest;

/**
 * Creates a function that encodes the parameters of a request. It omits those that are undefined, or null where JSON is not sent. It sends
 * those that the operation lacks as text, because servers ignore them. It throws a `TypeError` if a value of the path is missing, empty, `.` or
 * `..`, unless it is lenient. `writeStyled` is needed for the styles of OpenAPI; without it, arrays and objects are JSON.
 */
export function createEncode(writeStyled?: WriteStyled, isLenient = false): Encode {
  return (operation, values) => {
    const [body] = operation.bodies ?? [];
    const inputs = inputsOf(operation);
    const fields: Record<Place, StyledField[]> = { path: [], query: [], header: [], cookie: [], body: [] };
    let whole: unknown;
    for (const [name, value] of Object.entries(values)) {
      const parameter = inputs.find((one) => one.name === name) ?? { name, place: defaultPlace(operation) };
      const { place, wireName = name, isFile, contentType } = parameter;
      const isJson = parameter.json ?? (place === "body" && body?.form === "json");
      if (value === undefined || (value === null && !isJson)) continue;
      if (wireName === null) whole = isJson ? JSON.stringify(value) : value;
      else
        for (const one of isFile && Array.isArray(value) ? value : [value])
          fields[place].push(
            ...(isJson || one instanceof Blob || !parameter.style || !writeStyled
              ? [[wireName, one instanceof Blob ? one : textOfValue(one, { json: isJson }), contentType] as const]
              : writeStyled(parameter, wireName, one)),
          );
    }
    const texts = Object.fromEntries(fields.path.map(([name, value]) => [name, textOf(value, percentEncode)]));
    const path = operation.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const text = texts[name];
      if (isLenient) return text ?? "";
      if (text === undefined) throw new TypeError(`${operation.method} ${operation.path} needs a value for ${name}`);
      // Dot segments change the endpoint even when encoded (RFC 3986, section 5.2.4).
      if (/^\.{0,2}$/.test(text))
        throw new TypeError(`${name} is a path segment and cannot be ${JSON.stringify(text)}`);
      return text;
    });
    const headers: Record<string, string> = {};
    // A header that is sent twice is a list (RFC 9110, section 5.3).
    for (const [name, value] of fields.header)
      headers[name] = (name in headers ? `${headers[name]}, ` : "") + textOf(value);
    if (fields.cookie.length > 0)
      headers.Cookie = fields.cookie.map(([name, value]) => `${name}=${textOf(value, percentEncode)}`).join("; ");
    const sent = /^(?:GET|HEAD)$/.test(operation.method) ? undefined : encodeBody(body, fields.body, whole);
    return { method: operation.method, path, query: formText(fields.query), headers, ...(sent && { body: sent }) };
  };
}

/** A value as text: as JSON if its parameter says so, or if it is an array or object. */
export function textOfValue(value: unknown, { json }: Pick<Parameter, "json"> = {}): string {
  return json || typeof value === "object" ? JSON.stringify(value) : String(value);
}

function encodeBody(body: Body | undefined, fields: readonly StyledField[], whole: unknown): EncodedBody | undefined {
  const { form = "form", type = "application/x-www-form-urlencoded", required } = body ?? {};
  if (form === "multipart")
    return {
      kind: "parts",
      parts: fields.map(([name, value, partType]): Part => {
        if (value instanceof Blob) return [name, value];
        return partType === undefined ? [name, textOf(value)] : [name, textOf(value), partType];
      }),
    };
  if (whole instanceof Blob)
    return {
      kind: "content",
      type: whole.type || type.replace(/^.*\*.*$/, "application/octet-stream"),
      content: whole,
    };
  if (whole !== undefined)
    return {
      kind: "content",
      type: form === "json" ? typeInRange(type) : type.replace(/^.*\*.*$/, "text/plain"),
      content: textOfValue(whole),
    };
  if (form === "json")
    return fields.length > 0 || required
      ? {
          kind: "content",
          type: typeInRange(type),
          content: `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${textOf(value)}`).join()}}`,
        }
      : undefined;
  return fields.length > 0
    ? { kind: "content", type: form === "raw" ? "application/x-www-form-urlencoded" : type, content: formText(fields) }
    : undefined;
}

/** A value as text; `escapeText` writes what is no separator of a list. */
function textOf(value: FieldText, escapeText = (text: string) => text): string {
  return typeof value === "function" ? value(escapeText) : escapeText(String(value));
}

/** Fields in the form of a query string (URL Standard, "application/x-www-form-urlencoded serializing"). */
function formText(fields: readonly StyledField[]): string {
  const escapeText = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return fields.map(([name, value]) => `${escapeText(name)}=${textOf(value, escapeText)}`).join("&");
}
