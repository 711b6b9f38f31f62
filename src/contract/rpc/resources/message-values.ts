import { type DescField, type DescMessage, type DescOneof, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { sampleText } from "../../../schema/sample/text.js";
import { type Constraints, typeRules } from "./constraints.js";

/** Which values a message gets: any, the default of each field that has presence, the greatest numbers, or the last alternatives. */
export type Flavour = "plain" | "zeros" | "greatest" | "last";

/** How to fill a message. */
export interface Filling {
  readonly flavour: Flavour;
  readonly constraintsOf: (field: DescField) => Constraints;
  /**
   * The value of a field by its path, such as an expression, which stands for a value only outside lists and maps. `skip` omits the field,
   * undefined makes a value up.
   */
  readonly valueFor: (field: DescField, path: readonly string[], isRepeated: boolean) => unknown;
  /** Which of several different values to take. Defaults to the first. */
  readonly nth?: number;
  /** Whether the message is in a list or map. Defaults to false. */
  readonly isRepeated?: true;
}

/** Stands for a field that is not sent. */
export const skip = Symbol("skip");

/** How deep messages are filled. */
const maxDepth = 3;

/** Fills the fields of a message, each with a value that its constraints allow. ProtoJSON in canonical form, so that a reply has the same. */
export function fillMessage(
  schema: DescMessage,
  filling: Filling,
  path: readonly string[] = [],
): Record<string, unknown> {
  const values = schema.fields.flatMap((field): [string, unknown][] => {
    if (field.oneof !== undefined && chosenOf(field.oneof, filling) !== field) return [];
    const own = [...path, field.jsonName];
    const given = filling.valueFor(field, own, filling.isRepeated === true);
    if (given === skip) return [];
    const value = given ?? fieldValue(field, filling, own);
    return value === undefined ? [] : [[field.jsonName, value]];
  });
  return Object.fromEntries(values);
}

function chosenOf({ fields }: DescOneof, { flavour }: Filling): DescField | undefined {
  return flavour === "last" ? fields.at(-1) : fields[0];
}

function fieldValue(field: DescField, filling: Filling, path: readonly string[]): unknown {
  const { fieldKind, presence } = field;
  if (fieldKind === "list") {
    const one = (nth: number) => elementOf(field, { ...filling, isRepeated: true }, path, nth);
    return [one(0), one(1)].every((value) => value !== undefined) ? [one(0), one(1)] : undefined;
  }
  if (fieldKind === "map") {
    const keys =
      field.mapKey === ScalarType.STRING ? ["alpha", "beta"] : field.mapKey === ScalarType.BOOL ? ["true"] : ["1", "2"];
    const entries = keys.map(
      (key, nth) => [key, elementOf(field, { ...filling, isRepeated: true }, path, nth)] as const,
    );
    return entries.every(([, value]) => value !== undefined) ? Object.fromEntries(entries) : undefined;
  }
  // Explicit presence: the default is a value, too.
  const isPresent = presence === 1 && fieldKind !== "message";
  if (isPresent && filling.flavour === "zeros") return zeroOf(field);
  return elementOf(field, filling, path, filling.nth ?? 0);
}

function zeroOf({ scalar, enum: values }: DescField): unknown {
  if (values !== undefined) return values.values[0]?.name;
  if (scalar === ScalarType.BOOL) return false;
  if (scalar === ScalarType.STRING || scalar === ScalarType.BYTES) return "";
  return scalar !== undefined && isLong(scalar) ? "0" : 0;
}

function elementOf(field: DescField, filling: Filling, path: readonly string[], nth: number): unknown {
  const { message, enum: values, scalar } = field;
  if (values !== undefined) {
    const named = values.values.filter(({ number }) => number !== 0);
    return (filling.flavour === "last" ? named.at(-1 - nth) : (named[nth] ?? named[0]))?.name ?? values.values[0]?.name;
  }
  if (message !== undefined) {
    if (message.typeName in wellKnown) return wellKnown[message.typeName];
    return path.length >= maxDepth ? undefined : fillMessage(message, { ...filling, nth }, path);
  }
  return scalar === undefined ? undefined : scalarValue(field, scalar, filling, nth);
}

function scalarValue(field: DescField, scalar: ScalarType, { flavour, constraintsOf }: Filling, nth: number): unknown {
  const rules = typeRules(constraintsOf(field));
  if (rules.const !== undefined) return rules.const;
  if (Array.isArray(rules.in)) return rules.in[nth] ?? rules.in[0];
  switch (scalar) {
    case ScalarType.BOOL:
      return true;
    case ScalarType.BYTES:
      return nth === 0 ? "q80BAg==" : "q80BAw==";
    case ScalarType.STRING:
      return textOf(field, rules, nth);
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return numberWithin(rules, 0.5 + nth);
    default: {
      const greatest = greatestOf[scalar] ?? 0n;
      if (flavour === "greatest" && Object.keys(rules).length === 0)
        return isLong(scalar) ? String(greatest) : Number(greatest);
      const value = numberWithin(rules, 7 + nth);
      return isLong(scalar) ? String(value) : value;
    }
  }
}

/** A number that the rules of a field allow, if possible this one. */
function numberWithin(rules: Readonly<Record<string, unknown>>, wanted: number): number {
  const bounds = ["gt", "gte", "lt", "lte"].map((name) =>
    rules[name] === undefined ? undefined : Number(rules[name]),
  );
  const [above, atLeast, below, atMost] = bounds;
  const fits =
    wanted > (above ?? -Infinity) &&
    wanted >= (atLeast ?? -Infinity) &&
    wanted < (below ?? Infinity) &&
    wanted <= (atMost ?? Infinity);
  if (fits) return wanted;
  return atLeast ?? atMost ?? (above === undefined ? (below ?? 1) - 1 : above + 1);
}

/** A text as the name of its field asks for, where no constraint does. */
function textOf({ name }: DescField, rules: Readonly<Record<string, unknown>>, nth: number): string {
  const { pattern, minLen, maxLen, len } = rules;
  const format = textFormats.find(([rule, , names]) => rules[rule] === true || names.test(name))?.[1];
  const [minLength, maxLength] = [len ?? minLen, len ?? maxLen].map((bound) =>
    bound === undefined ? undefined : Number(bound),
  );
  if (pattern !== undefined || minLength !== undefined || maxLength !== undefined || format !== undefined)
    return sampleText(
      {
        patterns: pattern === undefined ? [] : [String(pattern)],
        format,
        minLength: minLength ?? 0,
        maxLength: maxLength ?? Number.POSITIVE_INFINITY,
      },
      nth,
    );
  return nth === 0 ? "alpha" : "beta";
}

/** The rule of protovalidate, the format of JSON Schema, and the names of fields that usually have it. */
const textFormats: readonly (readonly [string, string, RegExp])[] = [
  ["email", "email", /(?:^|_)e?mail(?:_address)?s?$/],
  ["uri", "uri", /(?:^|_)(?:url|uri|link)s?$|URLs?$/],
  ["uuid", "uuid", /(?:^|_)uuid$/],
  ["hostname", "hostname", /(?:^|_)host(?:name)?$/],
  ["ipv4", "ipv4", /^ip(?:_address)?$/],
];

const greatestOf: Partial<Record<ScalarType, bigint>> = {
  ...Object.fromEntries(
    [ScalarType.INT64, ScalarType.SINT64, ScalarType.SFIXED64].map((type) => [type, 2n ** 63n - 1n]),
  ),
  ...Object.fromEntries([ScalarType.UINT64, ScalarType.FIXED64].map((type) => [type, 2n ** 64n - 1n])),
  ...Object.fromEntries(
    [ScalarType.INT32, ScalarType.SINT32, ScalarType.SFIXED32].map((type) => [type, 2n ** 31n - 1n]),
  ),
  ...Object.fromEntries([ScalarType.UINT32, ScalarType.FIXED32].map((type) => [type, 2n ** 32n - 1n])),
};

/** Whether ProtoJSON writes a type as a text, because it has 64 bits. */
export function isLong(scalar: ScalarType): boolean {
  return (greatestOf[scalar] ?? 0n) > 2n ** 32n;
}

const wellKnown: Readonly<Record<string, unknown>> = {
  "google.protobuf.Timestamp": "2031-01-01T00:00:00Z",
  "google.protobuf.Duration": "3600s",
  "google.protobuf.Struct": { alpha: "beta" },
  "google.protobuf.Value": "alpha",
  "google.protobuf.ListValue": ["alpha"],
  "google.protobuf.FieldMask": undefined,
  "google.protobuf.Any": undefined,
  "google.protobuf.Empty": {},
  "google.protobuf.StringValue": "alpha",
  "google.protobuf.BytesValue": "q80BAg==",
  "google.protobuf.BoolValue": true,
  "google.protobuf.Int32Value": 7,
  "google.protobuf.UInt32Value": 7,
  "google.protobuf.Int64Value": "7",
  "google.protobuf.UInt64Value": "7",
  "google.protobuf.DoubleValue": 0.5,
  "google.protobuf.FloatValue": 0.5,
};

/** The least and the greatest value of an integer type, and 0. */
export function boundsOf(scalar: ScalarType | undefined): bigint[] {
  const greatest = scalar === undefined ? undefined : greatestOf[scalar];
  if (greatest === undefined) return [];
  const isSigned = greatest === 2n ** 63n - 1n || greatest === 2n ** 31n - 1n;
  return [...(isSigned ? [-greatest - 1n] : []), 0n, greatest];
}

/** An example of the field at a path, for a value that only a run knows; another one for each `nth`. */
export function exampleFor(schema: DescMessage, path: readonly string[], nth = 1): JsonValue {
  const [name, ...rest] = path;
  const field = schema.fields.find(({ jsonName }) => jsonName === name);
  if (field?.message !== undefined && rest.length > 0) return exampleFor(field.message, rest, nth);
  if (field?.scalar === ScalarType.STRING) return `example-${nth}`;
  if (field?.scalar === ScalarType.BYTES) return Buffer.from([nth >> 8, nth & 255, 0]).toString("base64");
  return field?.scalar !== undefined && isLong(field.scalar) ? String(nth) : nth;
}
