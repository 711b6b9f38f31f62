import {
  type DescField,
  type DescMessage,
  fromJson,
  type JsonObject,
  type JsonValue,
  type JsonWriteOptions,
  type Message,
  type Registry,
  ScalarType,
  toJson,
} from "@bufbuild/protobuf";
import {
  isReflectList,
  isReflectMap,
  isReflectMessage,
  type ReflectMessage,
  reflect,
} from "@bufbuild/protobuf/reflect";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { pointerKeys, valuesAt } from "../json-pointer.js";

/** A message in JSON with its default values, which ProtoJSON omits. `registry` has the types of `google.protobuf.Any`. */
export function fullMessage(schema: DescMessage, json: JsonValue, registry?: Registry): JsonObject {
  return fullJson(schema, fromJson(schema, json, registry === undefined ? {} : { registry }), registry);
}

/** Whether JSON is a message. */
export function isMessage(schema: DescMessage, json: JsonValue, registry: Registry): boolean {
  try {
    fromJson(schema, json, { registry });
    return true;
  } catch {
    return false;
  }
}

/** A message as JSON with its default values. `registry` has the types of `google.protobuf.Any`. */
export function fullJson(schema: DescMessage, message: Message, registry?: Registry): JsonObject {
  const options = { registry, alwaysEmitImplicit: true };
  const json: JsonValue = toJson<DescMessage, Partial<JsonWriteOptions>>(schema, message, options);
  return typeof json === "object" && json !== null && !Array.isArray(json) ? json : {};
}

/** Messages whose JSON exists only for some of their values: types that a contract has, and names in the usual case. */
const partlyInJson: ReadonlySet<string> = new Set(["google.protobuf.Any", "google.protobuf.FieldMask"]);

/**
 * Removes from a message what is valid although ProtoJSON has no form for it: an `Any` of a type that the registry lacks, and a `FieldMask`
 * with paths such as `a_1`. A list or map with one of them is removed as a whole.
 */
export function clearUnwritable(schema: DescMessage, message: Message, registry: Registry | undefined): void {
  const fields = reflect(schema, message);
  for (const field of schema.fields) {
    if (field.message === undefined || !fields.isSet(field)) continue;
    const inner = [...messagesIn(fields.get(field))];
    if (inner.some((one) => isUnwritable(one, registry))) fields.clear(field);
    else for (const one of inner) clearUnwritable(one.desc, one.message, registry);
  }
}

function* messagesIn(value: unknown): Generator<ReflectMessage> {
  if (isReflectMessage(value)) yield value;
  else if (isReflectList(value)) for (const one of value) yield* messagesIn(one);
  else if (isReflectMap(value)) for (const one of value.values()) yield* messagesIn(one);
}

function isUnwritable({ desc, message }: ReflectMessage, registry: Registry | undefined): boolean {
  if (!partlyInJson.has(desc.typeName)) return false;
  try {
    fullJson(desc, message, registry);
    return false;
  } catch {
    return true;
  }
}

/** The smallest valid message: only its required fields, with their default values. ProtoJSON. */
export function exampleOf(schema: DescMessage, depth = 0): JsonObject {
  const required = schema.fields.filter(({ presence }) => presence === FeatureSet_FieldPresence.LEGACY_REQUIRED);
  return Object.fromEntries(required.map((field) => [field.jsonName, zeroOf(field, depth)]));
}

/** Required fields may be recursive, so that no valid message exists. */
const maxDepth = 20;

function zeroOf({ message, enum: values, scalar }: DescField, depth: number): JsonValue {
  if (message !== undefined) return depth < maxDepth ? exampleOf(message, depth + 1) : {};
  if (values !== undefined) return values.values[0]?.name ?? 0;
  if (scalar === ScalarType.BOOL) return false;
  return scalar === ScalarType.STRING || scalar === ScalarType.BYTES ? "" : 0;
}

/** Converts ProtoJSON to its canonical form. Throws if the message lacks a field or a value has the wrong type. */
export function canonicalJson(schema: DescMessage, json: JsonObject, registry: Registry): JsonObject {
  const message = fromJson(schema, json, { registry });
  const back: JsonValue = toJson<DescMessage, Partial<JsonWriteOptions>>(schema, message, { registry });
  if (typeof back !== "object" || back === null || Array.isArray(back))
    throw new Error(`${schema.typeName} is not a JSON object`);
  return back;
}

/** Whether a path of JSON names, map keys and list positions, or `*` for all of them, leads to a field of a message. */
export function leadsToField(schema: DescMessage, path: readonly string[]): boolean {
  return placeAt(schema, path) !== undefined;
}

/** Whether a reply has a value other than the default at a pointer, in which `*` stands for any element or field. */
export function hasValue(schema: DescMessage, reply: JsonObject, at: string): boolean {
  const defaults: readonly unknown[] = defaultsAt(schema, at);
  return valuesAt(reply, at).some((value) => isSet(value) && !defaults.includes(value));
}

/** Whether a value differs from the default of its type, unless the type is a 64-bit integer or an enumeration. */
export function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== 0 && value !== "" && value !== false;
}

/** What ProtoJSON writes for the default of the field at a pointer, if that is neither 0 nor empty nor false. */
export function defaultsAt(schema: DescMessage, at: string): string[] {
  const place = placeAt(schema, pointerKeys(at));
  if (place === undefined || place === "any" || "listed" in place) return [];
  const { scalar, enum: values } = place;
  if (values !== undefined) return values.values.flatMap(({ number, name }) => (number === 0 ? name : []));
  return scalar !== undefined && sixtyFourBits.has(scalar) ? ["0"] : [];
}

const sixtyFourBits: ReadonlySet<ScalarType> = new Set([
  ...[ScalarType.INT64, ScalarType.UINT64, ScalarType.SINT64],
  ...[ScalarType.FIXED64, ScalarType.SFIXED64],
]);

/** What a path leads to: a single value, all elements of a list or map, or something that no descriptor describes. */
type Place = Element | { readonly listed: Element } | "any";
type Element = Partial<Pick<DescField, "message" | "enum" | "scalar">>;

function placeAt(schema: DescMessage, [name, ...rest]: readonly string[]): Place | undefined {
  if (anythingInside.has(schema.typeName)) return "any";
  const field = schema.fields.find(({ jsonName }) => jsonName === name);
  if (field === undefined) return undefined;
  const element: Element = { message: field.message, enum: field.enum, scalar: field.scalar } as Element;
  if (field.fieldKind === "list" || field.fieldKind === "map") {
    const [key, ...beyond] = rest;
    if (key === undefined) return { listed: element };
    return field.fieldKind === "map" || /^(?:\d+|\*)$/.test(key) ? within(element, beyond) : undefined;
  }
  return within(element, rest);
}

function within(element: Element, path: readonly string[]): Place | undefined {
  if (path.length === 0) return element;
  return element.message === undefined ? undefined : placeAt(element.message, path);
}

/** Messages whose JSON has names that are no fields. */
const anythingInside: ReadonlySet<string> = new Set(
  ["Struct", "Value", "ListValue", "Any"].map((name) => `google.protobuf.${name}`),
);
