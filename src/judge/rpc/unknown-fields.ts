import { type DescField, type DescMessage, fromBinary, isMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { WireType } from "@bufbuild/protobuf/wire";
import { pointerKeys } from "../../contract/json-pointer.js";

/**
 * Whether a message of a reply that could hold the field at a pointer has an unknown field of the same wire type. A
 * server that uses another field number sends such a message. `bytes` is the reply in the binary format.
 */
export function hasUnknownFieldLike(output: DescMessage, bytes: Uint8Array, pointer: string): boolean {
  const keys = pointerKeys(pointer);
  const last = keys.pop();
  const [first] = keys;
  const list = output.fields.find(({ jsonName }) => jsonName === first);
  const parent = list?.message ?? output;
  const wireType = wireTypeOf(parent.fields.find(({ jsonName }) => jsonName === last));
  const message = fromBinary(output, bytes);
  const parents = list === undefined ? [message] : [Reflect.get(message, list.localName)].flat();
  return parents.some((one) => isMessage(one) && unknownTypes(one).includes(wireType));
}

/** An unknown field, and the message that it is in. */
export interface UnknownField {
  readonly number: number;
  /** The wire type by name, such as `varint`. */
  readonly wireType: string;
  readonly parent: DescMessage;
}

/** Lists the unknown fields of a message at every depth, each once. */
export function listUnknownFields(desc: DescMessage, message: Message): UnknownField[] {
  const found = new Map<string, UnknownField>();
  const visit = (one: ReflectMessage): void => {
    for (const { no: number, wireType } of one.getUnknown() ?? []) {
      const field = { number, wireType: wireTypeNames[wireType], parent: one.desc };
      found.set(`${one.desc.typeName} ${number} ${wireType}`, field);
    }
    for (const field of one.fields) {
      if (field.fieldKind === "message" && one.isSet(field)) visit(one.get(field));
      if (field.fieldKind !== "list" || field.listKind !== "message") continue;
      for (const item of one.get(field)) if (isReflectMessage(item)) visit(item);
    }
  };
  visit(reflect(desc, message));
  return [...found.values()];
}

const wireTypeNames: Readonly<Record<WireType, string>> = {
  [WireType.Varint]: "varint",
  [WireType.Bit64]: "64-bit",
  [WireType.LengthDelimited]: "length-delimited",
  [WireType.StartGroup]: "group",
  [WireType.EndGroup]: "end of a group",
  [WireType.Bit32]: "32-bit",
};

function unknownTypes({ $unknown: unknown = [] }: Message): (WireType | undefined)[] {
  return unknown.map(({ wireType }) => wireType);
}

/** The wire type of a field that is not a list. */
function wireTypeOf(field: DescField | undefined): WireType | undefined {
  if (field?.fieldKind !== "scalar") return field?.fieldKind === "enum" ? WireType.Varint : WireType.LengthDelimited;
  switch (field.scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}
