import { isJsonType } from "../../http/media-type.js";
import type { Body, Operation, Parameter, Place, TextType, ValueStyle } from "../../request/operation.js";
import { type ContractDocument, type ParameterObject, resolve, type Schema } from "./document.js";
import { type ListedOperation, listOperations, parameterSchema, parametersOf } from "./operations.js";
import { type BodyField, type RequestBody, requestBodiesOf } from "./request-body.js";
import { itemsOf, propertiesOf, typesOf } from "./schema-types.js";

/** Compiles the requests of all operations, by operationId. */
export function compileOperations(document: ContractDocument): ReadonlyMap<string, Operation> {
  return new Map(
    listOperations(document).map((listed) => [listed.operation.operationId, compileOperation(document, listed)]),
  );
}

/** Compiles the requests of an operation. */
export function compileOperation(document: ContractDocument, { path, method, operation }: ListedOperation): Operation {
  const bodies = requestBodiesOf(document, operation).map((body) => compileBody(document, body));
  return {
    method: method.toUpperCase(),
    path,
    parameters: parametersOf(document, operation).map((parameter) => compileParameter(document, parameter)),
    ...(bodies.length === 0 ? {} : { bodies }),
  };
}

function compileParameter(document: ContractDocument, parameter: ParameterObject): Parameter {
  const { name, in: place, content = {}, required = false } = parameter;
  const isJson = Object.keys(content).some(isJsonType);
  return {
    name,
    place,
    ...(required || place === "path" ? { required: true } : {}),
    ...compileValue(document, parameterSchema(parameter), isJson ? "json" : styleOf(place, parameter)),
    ...(parameter["x-allow-slashes"] ? { slashes: true as const } : {}),
    ...(parameter.allowEmptyValue && place === "query" ? { mayBeEmpty: true as const } : {}),
  };
}

function compileBody(document: ContractDocument, body: RequestBody): Body {
  return {
    type: body.mediaType,
    form: body.form,
    ...(body.isRequired ? { required: true } : {}),
    fields: body.fields.map((field) => compileField(document, body, field)),
  };
}

function compileField(document: ContractDocument, { form, mediaType }: RequestBody, field: BodyField): Parameter {
  const { name, field: own, schema, isRequired, encoding } = field;
  return {
    name,
    place: "body",
    ...(own === name ? {} : { wireName: own ?? null }),
    ...(isRequired ? { required: true } : {}),
    ...(form === "raw"
      ? rawValue(mediaType)
      : compileValue(document, schema, formatOf(document, form, schema, encoding))),
    ...(form === "multipart" ? partType(document, schema, encoding) : {}),
  };
}

/** The media type of a part. Objects are JSON by default (OpenAPI 3.1, "Encoding Object"); files have types of their own. */
function partType(
  document: ContractDocument,
  schema: Schema,
  encoding: BodyField["encoding"],
): Pick<Parameter, "contentType"> {
  const format = formatOf(document, "multipart", schema, encoding);
  const { contentType = format === "json" ? "application/json" : "" } = encoding;
  return format === "file" || !/^[^,*]+$/.test(contentType) ? {} : { contentType };
}

function rawValue(mediaType: string): Pick<Parameter, "type" | "isFile"> {
  return /^text\//i.test(mediaType) ? { type: "string" } : { isFile: true };
}

/** How a field is written. Objects are JSON by default (OpenAPI 3.1, "Encoding Object"). */
function formatOf(
  document: ContractDocument,
  form: RequestBody["form"],
  schema: Schema,
  { contentType, style, explode }: BodyField["encoding"],
): "json" | "file" | ValueStyle {
  if (form === "json") return "json";
  const isObject = contentType === undefined && style === undefined && typesOf(document, schema).has("object");
  if (isObject || (contentType !== undefined && isJsonType(contentType))) return "json";
  return isFile(document, schema) ? "file" : styleOf("query", { style, explode });
}

/** Whether a field is a file, or an array of files. Source: OpenAPI 3.0, "Considerations for File Uploads"; 3.1 has media types instead. */
function isFile(document: ContractDocument, schema: Schema): boolean {
  const isBinary = (one: Schema) =>
    one.format === "binary" || (one.type === undefined && one.contentMediaType !== undefined);
  return isBinary(schema) || (schema.items !== undefined && isBinary(resolve<Schema>(document, schema.items)));
}

function compileValue(
  document: ContractDocument,
  schema: Schema,
  format: "json" | "file" | ValueStyle,
): Omit<Parameter, "name" | "place"> {
  const types = typesOf(document, schema);
  const type = typeOf(types);
  if (format === "json") return { ...type, json: true };
  if (format === "file") return { ...type, isFile: true };
  const [isList, isObject] = [types.has("array"), types.has("object")];
  const addsToTexts = format.name === "label" || format.name === "matrix";
  return {
    ...type,
    ...(isList || isObject || addsToTexts ? { style: format } : {}),
    ...(isList ? { items: textType(document, itemsOf(document, schema) ?? {}) } : {}),
    ...(isObject ? membersOf(document, schema, isList) : {}),
  };
}

function membersOf(document: ContractDocument, schema: Schema, isList: boolean): Pick<Parameter, "members" | "items"> {
  const entries = Object.entries(propertiesOf(document, schema));
  const members = Object.fromEntries(entries.map(([name, member]) => [name, textType(document, member)]));
  const { additionalProperties: others } = resolve<Schema>(document, schema);
  return entries.length === 0 && !isList && typeof others === "object"
    ? { members, items: textType(document, others) }
    : { members };
}

function textType(document: ContractDocument, schema: Schema): TextType {
  const { enum: listed } = resolve<Schema>(document, schema);
  return { ...typeOf(typesOf(document, schema)), ...(listed === undefined ? {} : { enum: listed }) };
}

function typeOf(types: ReadonlySet<string>): Pick<TextType, "type"> {
  const [first, ...others] = types;
  if (first === undefined) return {};
  return { type: others.length === 0 ? first : [...types] };
}

/** The style of a parameter, or that of its place. A field of a form is written as in a query. Source: OpenAPI 3.1, "Parameter Object". */
function styleOf(
  place: Place,
  { style, explode }: { readonly style?: string; readonly explode?: boolean },
): ValueStyle {
  const name = style ?? (place === "path" || place === "header" ? "simple" : "form");
  return { name, explode: explode ?? name === "form" };
}
