import { parseBoundedJson } from "../base/parse-json.js";
import { percentDecode } from "../base/percent-decode.js";
import { isInRange, mediaType } from "../http/media-type.js";
import { type Body, mayBe, type Operation, type Parameter, type TextType, wireNameOf } from "./operation.js";
import { isMemberOf, isSpread, readPrimitive, readStyled, type SentText } from "./style.js";

/** The undecoded parts of a request. */
export interface RequestMessage {
  readonly path: readonly SentText[];
  readonly query: readonly SentText[];
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Undefined without a body. */
  readonly body?: MessageBody | undefined;
}

/** A body: the fields and files of a form, or its bytes. */
export type MessageBody =
  | ({ readonly kind: "form" } & FormParts<Blob>)
  | { readonly kind: "bytes"; readonly bytes: Uint8Array };

/** The parameters of a request. */
export interface DecodedRequest {
  /** By name. Those that could not be decoded are absent. */
  readonly values: Record<string, unknown>;
  /** Parameters whose text does not match their type, in the order of the operation. */
  readonly malformed: readonly Malformed[];
  /** The texts of parameters by name, the last of each. */
  readonly texts: ReadonlyMap<string, string>;
  /** The fields of the query string and the body. */
  readonly fields: readonly ReadField[];
  /** The names of fields that belong to no parameter, sorted. */
  readonly unknown: readonly string[];
  /** The body as a whole, with the media type by which it was read. Undefined if there is none, or if it is malformed. */
  readonly body?: { readonly as: Body; readonly value: unknown } | undefined;
  /** Whether the body is not the JSON that it should be. */
  readonly hasMalformedBody: boolean;
}

/** A parameter whose text does not match its type. */
export interface Malformed {
  readonly name: string;
  /** Such as `an integer`. */
  readonly expected: string;
}

/** A field of the query string or the body. */
export interface ReadField {
  readonly place: "query" | "body";
  readonly name: string;
  /** A member of a JSON body is JSON text. */
  readonly text: string;
  /** The parameter that it belongs to. */
  readonly parameter: Parameter | undefined;
}

/**
 * Decodes the parameters of a request. Those of query and body may be in either: the body takes precedence, and so does the last of a repeated
 * name. The file of an upload may have any name.
 */
export function decode(operation: Operation, message: RequestMessage): DecodedRequest {
  const as = bodyOf(operation, message);
  const json = as?.form === "json" ? jsonOf(message) : undefined;
  const hasMalformedBody = json === malformed;
  const whole = as?.fields.find(({ wireName }) => wireName === null);
  const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
  const members = whole === undefined && isObject ? Object.entries(json) : [];
  const inputs = as === undefined ? operation.parameters : [...operation.parameters, ...as.fields];
  const ownerOf = createOwnerOf(inputs);
  const fields = [
    ...message.query.map((sent) => ({ place: "query" as const, sent })),
    ...(message.body?.kind === "form" ? message.body.fields : []).map((sent) => ({ place: "body" as const, sent })),
    ...members.map(([name, value]) => ({
      place: "body" as const,
      sent: [name, JSON.stringify(value)] as const,
      value,
    })),
  ].map((field) => ({ ...field, owner: ownerOf(field.place, field.sent[0]) }));
  const files = message.body?.kind === "form" ? [...message.body.files] : [];
  const takesAll = inputs.filter(({ isFile }) => isFile).length === 1;
  const head = headOf(message.headers);

  const values: Record<string, unknown> = {};
  const failed: Malformed[] = [];
  const lastTexts = new Map<string, string>();
  const set = (name: string, value: unknown, expected?: string) => {
    if (expected !== undefined) failed.push({ name, expected });
    else if (value !== undefined) values[name] = value;
  };
  for (const parameter of inputs) {
    const { name, place, wireName, isFile } = parameter;
    if (wireName === null && as?.form !== "form" && as?.form !== "multipart") {
      if (!hasMalformedBody) set(name, as?.form === "json" ? json : rawOf(parameter, message));
    } else if (isFile) {
      const own = files.filter(([key]) => key === wireNameOf(parameter));
      const taken = own.length > 0 && !takesAll ? own : files;
      if (mayBe(parameter, "array")) set(name, taken.length === 0 ? undefined : taken.map(([, file]) => file));
      else set(name, taken[0]?.[1], taken.length > 1 ? "exactly one file" : undefined);
      for (const one of taken) files.splice(files.indexOf(one), 1);
    } else {
      const owned = fields.filter(({ owner }) => owner === parameter);
      const last = owned.at(-1);
      const inPath = place === "path" ? message.path : undefined;
      const texts = inPath ?? (place === "query" || place === "body" ? owned.map(({ sent }) => sent) : head(parameter));
      const text = texts.findLast(([key]) => key === wireNameOf(parameter))?.[1];
      if (text !== undefined) lastTexts.set(name, text);
      if (last !== undefined && "value" in last) set(name, last.value);
      else {
        const value = decodeParameter(parameter, texts);
        // Sent without a value, which no schema describes.
        const isEmpty = text === "" && parameter.mayBeEmpty && !mayBe(parameter, "string");
        if (!isEmpty) set(name, value, expectedOf(parameter, value));
      }
    }
  }
  const unknown = [
    ...fields.flatMap(({ owner, sent: [name] }) => (owner === undefined ? name : [])),
    ...files.map(([name]) => name),
  ];
  return {
    values,
    malformed: failed,
    texts: lastTexts,
    fields: fields.map(({ place, sent: [name, text], owner }) => ({ place, name, text, parameter: owner })),
    unknown: [...new Set(unknown)].sort(),
    body: as === undefined || hasMalformedBody || message.body === undefined ? undefined : { as, value: json },
    hasMalformedBody,
  };
}

/**
 * The value that the schema of a body describes: JSON, or the fields of a form, in which empty texts stand for files. Undefined for a form
 * whose schema names no fields.
 */
export function bodyValue({ form, fields }: Body, { values, body }: Pick<DecodedRequest, "values" | "body">): unknown {
  if (form === "json") return body?.value;
  if (fields.length === 0) return undefined;
  const sent = fields.flatMap((one) => {
    const value = values[one.name];
    if (value === undefined) return [];
    return [[wireNameOf(one), !one.isFile ? value : Array.isArray(value) ? value.map(() => "") : ""] as const];
  });
  return Object.fromEntries(sent);
}

/** The fields and files of a form. */
export interface FormParts<Content extends Blob> {
  readonly fields: readonly SentText[];
  readonly files: readonly (readonly [name: string, file: Content])[];
}

/** Reads the JSON parts of a form that were sent as files, as browsers do with a `Blob`. */
export async function withTextParts<Content extends Blob>(
  { bodies = [] }: Operation,
  { fields, files }: FormParts<Content>,
): Promise<FormParts<Content>> {
  const inputs = bodies.flatMap((body) => body.fields);
  const texts = new Set(inputs.flatMap((one) => (one.json ? wireNameOf(one) : [])));
  const isText = ([name]: readonly [string, Content]) => texts.has(name);
  const read = await Promise.all(files.filter(isText).map(async ([name, file]) => [name, await file.text()] as const));
  return { fields: [...fields, ...read], files: files.filter((file) => !isText(file)) };
}

const formTypes = /^(?:application\/x-www-form-urlencoded|multipart\/form-data)$/i;

/** Whether a `Content-Type` is that of a form. */
export function isFormType(contentType: string | undefined): boolean {
  return formTypes.test(mediaType(contentType));
}

/** The body to which a `Content-Type` belongs; ranges such as `text/*` last (OpenAPI 3.1, "Request Body Object"). */
export function findBody({ bodies = [] }: Operation, contentType: string | undefined): Body | undefined {
  const sent = mediaType(contentType);
  return (
    bodies.find(({ type }) => mediaType(type) === sent) ??
    // Any form can carry the same fields.
    bodies.find(({ type }) => isFormType(type) && isFormType(sent)) ??
    bodies.find(({ type }) => type !== "*/*" && isInRange(sent, type)) ??
    bodies.find(({ type }) => type === "*/*")
  );
}

/** The body that a request has. Without one, fields of a form may be in the query. */
function bodyOf(operation: Operation, { headers, body }: RequestMessage): Body | undefined {
  const found = body === undefined ? undefined : findBody(operation, headers["content-type"]);
  if (found !== undefined || body?.kind === "bytes") return found;
  const [first] = operation.bodies ?? [];
  return operation.bodies?.find(({ type }) => isFormType(type)) ?? (body === undefined ? first : undefined);
}

/** Stands for a text that should be JSON. */
const malformed = Symbol("malformed");

/** Parses JSON text. Returns `malformed` if it is not valid JSON or exceeds a bound. */
function parseJson(text: string): unknown {
  const value = parseBoundedJson(text);
  return value === undefined ? malformed : value;
}

function jsonOf({ body }: RequestMessage): unknown {
  return body?.kind === "bytes" && body.bytes.length > 0 ? parseJson(new TextDecoder().decode(body.bytes)) : undefined;
}

function rawOf({ isFile }: Parameter, { body }: RequestMessage): unknown {
  if (body?.kind !== "bytes") return undefined;
  return isFile ? new Blob([body.bytes as BlobPart]) : new TextDecoder().decode(body.bytes);
}

/** Creates a function that finds the parameter to which a field belongs: first one of the same place and name. */
function createOwnerOf(
  inputs: readonly Parameter[],
): (place: Parameter["place"], name: string) => Parameter | undefined {
  const known = inputs.filter(({ place, isFile }) => (place === "query" || place === "body") && !isFile);
  const named = new Map(known.map((one) => [`${one.place} ${wireNameOf(one)}`, one]));
  const spread = known.filter((one) => one.style !== undefined && isSpread(one.style) && mayBe(one, "object"));
  const ofMember = (name: string) =>
    spread.find((one) =>
      one.style?.name === "deepObject" ? isMemberOf(wireNameOf(one), name) : Object.hasOwn(one.members ?? {}, name),
    );
  // An object whose members have any names.
  const map = spread.find(
    ({ style, members = {} }) => style?.name !== "deepObject" && Object.keys(members).length === 0,
  );
  return (place, name) =>
    named.get(`${place} ${name}`) ??
    ofMember(name) ??
    named.get(`${place === "query" ? "body" : "query"} ${name}`) ??
    (map?.place === place ? map : undefined);
}

/** Creates a function that lists the texts of a header or a cookie. */
function headOf(headers: RequestMessage["headers"]): (parameter: Parameter) => readonly SentText[] {
  const pairs = [...(headers.cookie ?? "").matchAll(/([^=;\s]+)=([^;]*)/g)];
  const cookies = pairs.map(([, name = "", text = ""]): SentText => [name, percentDecode(text), text]);
  return (parameter) => {
    if (parameter.place === "cookie") return cookies;
    const text = headers[wireNameOf(parameter).toLowerCase()];
    return text === undefined ? [] : [[wireNameOf(parameter), text]];
  };
}

/** Decodes a parameter from the texts of its place. Undefined if it was not sent. */
function decodeParameter(parameter: Parameter, texts: readonly SentText[]): unknown {
  const { json, style, items = {}, members = {} } = parameter;
  const name = wireNameOf(parameter);
  const last = texts.findLast(([key]) => key === name)?.[1];
  if (json) return last === undefined ? undefined : parseJson(last);
  const isList = mayBe(parameter, "array");
  if (style === undefined || !(isList || mayBe(parameter, "object")))
    return last === undefined
      ? undefined
      : decodeText(parameter, style === undefined ? last : readPrimitive(style, name, last));
  const accepts = (text: string) => isOneOf(items, decodeText(items, text));
  const known = Object.keys(members);
  const value = readStyled(style, name, texts, {
    isList,
    members: known.length > 0 ? known : texts.map(([key]) => key),
    accepts,
  });
  if (value === undefined) return undefined;
  // A value of the other type that the parameter may have.
  const isSingle = isList && Array.isArray(value) && texts.filter(([key]) => key === name).length === 1;
  if (
    isSingle &&
    last !== undefined &&
    mayBe(parameter, "string", "integer", "number", "boolean") &&
    !value.every(accepts)
  )
    return decodeText(parameter, readPrimitive(style, name, last));
  if (Array.isArray(value)) return value.map((text) => decodeText(items, text));
  return Object.fromEntries(
    Object.entries(value).map(([key, text]) => [
      key,
      decodeText(members[key] ?? (known.length > 0 ? {} : items), text),
    ]),
  );
}

/** Whether a value has a type, and is among the values, that a schema lists. */
function isOneOf({ type, enum: listed }: TextType, value: unknown): boolean {
  const hasType = type === undefined || mayBe({ type }, ...typesOf(value));
  return hasType && (listed === undefined || listed.includes(value));
}

function typesOf(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  return Number.isInteger(value) ? ["integer", "number"] : [typeof value];
}

const integer = /^-?(?:0|[1-9]\d*)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Reads a text as a value of a type that it may have. Other texts stay texts. An integer is decimal digits after an optional minus sign; one above
 * 2^53 becomes the nearest double.
 */
function decodeText(type: TextType, text: string): unknown {
  const trimmed = text.trim();
  if (mayBe(type, "integer") && integer.test(trimmed)) return Number(trimmed);
  if (mayBe(type, "number") && number.test(trimmed)) return Number(trimmed);
  if (mayBe(type, "boolean") && /^(?:true|false)$/.test(trimmed)) return trimmed === "true";
  if (mayBe(type, "null") && trimmed === "null") return null;
  return text;
}

/** What a text must be to be that of a parameter. Undefined if it is. */
export function expectedText(parameter: Parameter, text: string): string | undefined {
  return expectedOf(parameter, decodeParameter(parameter, [[wireNameOf(parameter), text]]));
}

/** What the text of a parameter must be, if it is not: a text of another type stays a text. */
function expectedOf(parameter: Parameter, value: unknown): string | undefined {
  if (value === malformed) return "JSON text";
  if (typeof value !== "string" || parameter.json || parameter.type === undefined || mayBe(parameter, "string"))
    return undefined;
  if (mayBe(parameter, "integer")) return "an integer";
  if (mayBe(parameter, "number")) return "a number";
  return mayBe(parameter, "boolean") ? "true or false" : undefined;
}
