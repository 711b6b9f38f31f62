import { type ContractDocument, type EncodingObject, type OperationObject, resolve, type Schema } from "./document.js";

/** How a body is encoded: as form fields, as JSON, or as it is. */
export type BodyForm = "form" | "multipart" | "json" | "raw";

/** The body of an operation's requests, in the encoding that checks use. */
export interface RequestBody {
  readonly form: BodyForm;
  readonly mediaType: string;
  readonly isRequired: boolean;
  /** The fields by the name by which checks know them, which is that of the field unless a parameter has the same. */
  readonly fields: readonly BodyField[];
  /** Whether the schema forbids other fields. */
  readonly isClosed: boolean;
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

const forms: readonly (readonly [form: BodyForm, pattern: RegExp])[] = [
  ["json", /^application\/(?:json|[\w.-]+\+json)\b/i],
  ["form", /^application\/x-www-form-urlencoded\b/i],
  ["multipart", /^multipart\/form-data\b/i],
  ["raw", /^/],
];

/** Returns the body of an operation's requests: of several media types, JSON, else a form, else the first. Undefined without a body. */
export function requestBodyOf(document: ContractDocument, operation: OperationObject): RequestBody | undefined {
  const content = Object.entries(operation.requestBody?.content ?? {});
  for (const [form, pattern] of forms) {
    const [mediaType, media] = content.find(([type]) => pattern.test(type)) ?? [];
    if (mediaType === undefined || media === undefined) continue;
    const { schema: given = {}, encoding = {} } = media;
    const schema = resolve<Schema>(document, given);
    const isRequired = operation.requestBody?.required === true;
    const shape = form === "raw" ? undefined : shapeOf(document, schema);
    const taken = new Set((operation.parameters ?? []).map((one) => resolve<{ name: string }>(document, one).name));
    if (shape === undefined && (form === "json" || form === "raw")) {
      const name = taken.has("body") ? "requestBody" : "body";
      const whole = { name, field: undefined, schema, isRequired, encoding: {} };
      return { form, mediaType, isRequired, fields: [whole], isClosed: true };
    }
    const { properties, required, isClosed } = shape ?? { properties: {}, required: [], isClosed: false };
    const fields = Object.entries(properties).flatMap(([field, property]): BodyField[] => {
      const own = resolve<Schema>(document, property);
      if (own.readOnly === true) return [];
      const name = taken.has(field) ? `body.${field}` : field;
      return [{ name, field, schema: own, isRequired: required.includes(field), encoding: encoding[field] ?? {} }];
    });
    return { form, mediaType, isRequired, fields, isClosed };
  }
  return undefined;
}

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
