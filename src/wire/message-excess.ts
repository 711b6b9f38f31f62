import { type DescField, type DescMessage, type Registry, ScalarType } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";

/** A message with more values takes hundreds of times its size to decode: each may be one of two bytes. */
export const maxMessageValues = 100_000;

/** A message that is nested more deeply is refused by its decoder. */
export const maxMessageDepth = 100;

/** Describes a message of more values than are decoded. Reads the bytes once, and makes nothing of them. `registry` has the types of `google.protobuf.Any`. */
export function messageExcess(desc: DescMessage, bytes: Uint8Array, registry?: Registry): string | undefined {
  let left = maxMessageValues;

  function countFields(
    bytes: Uint8Array,
    depth: number,
    countValue: (number: number, value: Uint8Array) => void,
  ): void {
    const reader = new BinaryReader(bytes);
    while (depth <= maxMessageDepth && left >= 0 && reader.pos < reader.len) {
      left--;
      const [number, wireType] = reader.tag();
      if (wireType === WireType.EndGroup) return;
      if (wireType === WireType.LengthDelimited) countValue(number, reader.bytes());
      else if (wireType === WireType.StartGroup) countValue(number, reader.skip(wireType, number));
      else reader.skip(wireType, number);
    }
  }

  function countMessage({ typeName, fields }: DescMessage, bytes: Uint8Array, depth: number): void {
    let type: DescMessage | undefined;
    countFields(bytes, depth, (number, value) => {
      const field = fields.find((one) => one.number === number);
      if (typeName === "google.protobuf.Any" && number === 1)
        type = registry?.getMessage(Buffer.from(value).toString().replace(/^.*\//s, ""));
      else if (type !== undefined && number === 2) countMessage(type, value, depth + 1);
      else if (field?.fieldKind === "map")
        countFields(value, depth + 1, (part, inner) => {
          if (part === 2 && field.message !== undefined) countMessage(field.message, inner, depth + 2);
        });
      else if (field?.message !== undefined) countMessage(field.message, value, depth + 1);
      else if (field?.fieldKind === "list") left -= packedValues(field, value);
    });
  }

  try {
    countMessage(desc, bytes, 1);
  } catch {
    // What is no message is read until the same place.
  }
  return left < 0 ? `the message holds more than ${maxMessageValues.toLocaleString("en-US")} values` : undefined;
}

/** How many values a packed list has beyond the first. */
function packedValues({ scalar }: DescField, bytes: Uint8Array): number {
  switch (scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return 0;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return bytes.length / 8 - 1;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return bytes.length / 4 - 1;
    default:
      // Each ends with a byte whose highest bit is not set (Protocol Buffers Encoding).
      return bytes.reduce((count, byte) => (byte < 0x80 ? count + 1 : count), -1);
  }
}
