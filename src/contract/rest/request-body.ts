import { isJsonType } from "../../http/media-type.js";
import type { BodyForm } from "../../request/operation.js";
import {
  type ContractDocument,
  type EncodingObject,
  type MediaTypeObject,
  type OperationObject,
  resolve,
  type Schema,
} from "./document.js";
import { propertiesOf } from "./schema-types.js";

/** The body of an operation's requests, in the encoding that checks use. */
export interface RequestBody {
  readonly form: BodyForm;
  readonly mediaType: string;
  readonly isRequired: boolean;
  /** Never a `$ref` itself. */
  readonly schema: Schema;
  /** The fields by the name by which checks know them, which is that of the field unless a parameter has the same. */
  readonly fields: readonly BodyField[];
  /** Whether the schema forbids other fields. */
  readonly isClosed: boolean;
  /** Whether the fields are those of several alternatives. */
  readonly hasAlternatives?: true;
}

/** A field of a body, or the body as a whole. */
export interface BodyField {
  readonly name: string;
  /** The name in the body. Undefined if this is the whole body, because it is no object with named properties. */
  readonly field: string | undefined;
  /** Never a `$ref` itself. */
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly encoding: EncodingObject;
}

/** The forms of bodies, the preferred first. */
const forms: readonly BodyForm[] = ["json", "form", "multipart", "raw"];

function formOf(mediaType: string): BodyForm {
  if (isJsonType(mediaType)) return "json";
  if (/^application\/x-www-form-urlencoded\b/i.test(mediaType)) return "form";
  return /^multipart\/form-data\b/i.test(mediaType) ? "multipart" : "raw";
}

/** Returns the body of an operation's requests: of several media types, JSON, else a form, else the first. Undefined without a body. */
export function requestBodyOf(document: ContractDocument, operation: OperationObject): RequestBody | undefined {
  return requestBodiesOf(document, operation)[0];
}

/** Lists the bodies that an operation documents: JSON, then forms, then others; of each, ranges of media types last. */
export function requestBodiesOf(document: ContractDocument, operation: OperationObject): RequestBody[] {
  const content = Object.entries(operation.requestBody?.content ?? {});
  const taken = new Set((operation.parameters ?? []).map((one) => resolve<{ name: string }>(document, one).name));
  const isRequired = operation.requestBody?.required === true;
  return content
    .map(([mediaType, media]) => bodyOf(document, { mediaType, media, taken, isRequired }))
    .sort((a, b) => forms.indexOf(a.form) - forms.indexOf(b.form) || Number(isRange(a)) - Number(isRange(b)));
}

/** A request names a media type, not a range of them. */
function isRange({ mediaType }: RequestBody): boolean {
  return mediaType.includes("*");
}

interface DocumentedBody {
  readonly mediaType: string;
  readonly media: MediaTypeObject;
  /** The names of other parameters. */
  readonly taken: ReadonlySet<string>;
  readonly isRequired: boolean;
}

function bodyOf(document: ContractDocument, { mediaType, media, taken, isRequired }: DocumentedBody): RequestBody {
  const form = formOf(mediaType);
  const { schema: given = {}, encoding = {} } = media;
  const schema = resolve<Schema>(document, given);
  const shape = form === "raw" ? undefined : shapeOf(document, schema);
  if (shape === undefined && (form === "json" || form === "raw")) {
    const name = taken.has("body") ? "requestBody" : "body";
    const whole = { name, field: undefined, schema, isRequired, encoding: {} };
    return { form, mediaType, isRequired, schema, fields: [whole], isClosed: true };
  }
  const { properties, required, isClosed } = shape ?? { ...noShape, properties: propertiesOf(document, schema) };
  const fields = Object.entries(properties).flatMap(([field, property]): BodyField[] => {
    const own = resolve<Schema>(document, property);
    if (own.readOnly === true) return [];
    const name = taken.has(field) ? `body.${field}` : field;
    return [{ name, field, schema: own, isRequired: required.includes(field), encoding: encoding[field] ?? {} }];
  });
  return {
    form,
    mediaType,
    isRequired,
    schema,
    fields,
    isClosed,
    ...(shape === undefined ? { hasAlternatives: true } : {}),
  };
}

const noShape: Omit<Shape, "properties"> = { required: [], isClosed: false };

/** The values of a body by the names by which checks know them. */
export function bodyValues({ fields }: Pick<RequestBody, "fields">, value: unknown): Readonly<Record<string, unknown>> {
  const [whole] = fields;
  if (whole !== undefined && whole.field === undefined) return { [whole.name]: value };
  if (typeof value !== "object" || value === null) return {};
  const names = new Map(fields.map(({ name, field }) => [field, name]));
  return Object.fromEntries(Object.entries(value).map(([field, inner]) => [names.get(field) ?? field, inner]));
}

/** The properties of an object. */
export interface Shape {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  readonly isClosed: boolean;
}

/** The properties of an object, those of its `allOf` included. Undefined if it has none, or alternatives. */
export function shapeOf(document: ContractDocument, schema: Schema, within: readonly Schema[] = []): Shape | undefined {
  if (schema.oneOf !== undefined || schema.anyOf !== undefined || within.includes(schema)) return undefined;
  const parts = ((schema.allOf ?? []) as Schema[]).map((part) =>
    shapeOf(document, resolve<Schema>(document, part), [...within, schema]),
  );
  const known = parts.filter((part) => part !== undefined);
  if (known.length < parts.length || (schema.properties === undefined && known.length === 0)) return undefined;
  return {
    properties: Object.assign({}, ...known.map(({ properties }) => properties), schema.properties),
    required: [...known.flatMap(({ required }) => required), ...(schema.required ?? [])],
    isClosed: schema.additionalProperties === false || schema.unevaluatedProperties === false,
  };
}
