import { type DescField, fromBinary, isMessage, type Message, ScalarType } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { type DaemonRpc, methodOf } from "../../contract/daemon/rpcs.js";
import { pointerKeys } from "../../contract/json-pointer.js";

/**
 * Whether a message of a reply that could hold the field at a pointer has an unknown field of the same wire type. A daemon that writes
 * the field at another number sends such a message. `bytes` is the reply in the binary format.
 */
export function hasUnknownFieldLike(rpc: DaemonRpc, bytes: Uint8Array, pointer: string): boolean {
  const { output } = methodOf(rpc);
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

function unknownTypes({ $unknown: unknown = [] }: Message): (WireType | undefined)[] {
  return unknown.map(({ wireType }) => wireType);
}

/** The wire type of a field that is no list. */
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
