import { create, type DescMessage, type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import { nextSlice } from "../../time-slices.js";

/** A slice of this many entries takes five to ten milliseconds. */
const entriesPerSlice = 1_000;

/**
 * Encodes a message as ProtoJSON (https://protobuf.dev/programming-guides/json/) like `toJsonString`, and its lists in slices. Takes
 * the same input as `create`. Does not support messages with a special JSON form, such as some of google.protobuf.
 *
 * Rejects with a `TypeError` if a value does not match its field. The message names the type, never the value.
 */
export async function encodeJson<Desc extends DescMessage>(
  schema: Desc,
  message: MessageInitShape<Desc>,
): Promise<Uint8Array> {
  const fields = message as Readonly<Record<string, unknown>>;
  const parts: Uint8Array[] = [];
  let separator = "{";
  const add = (text: string) => {
    parts.push(Buffer.from(separator + text));
    separator = ",";
  };
  for (const { localName } of schema.members) {
    const value = fields[localName];
    if (!Array.isArray(value)) {
      const text = jsonOfMember(schema, localName, value);
      if (text !== "{}") add(text.slice(1, -1));
      continue;
    }
    for (let start = 0; start < value.length; start += entriesPerSlice) {
      await nextSlice();
      const text = jsonOfMember(schema, localName, value.slice(start, start + entriesPerSlice));
      // Only the first slice includes the name of `{"name":[…]}`.
      add(text.slice(start === 0 ? 1 : text.indexOf("[") + 1, -2));
    }
    if (value.length > 0) parts.push(Buffer.from("]"));
  }
  return Buffer.concat([...parts, Buffer.from(parts.length === 0 ? "{}" : "}")]);
}

/** The JSON of a message with only one member set. */
function jsonOfMember(schema: DescMessage, name: string, value: unknown): string {
  try {
    return toJsonString(schema, create(schema, { [name]: value }));
  } catch {
    throw new TypeError(`A value does not match its field in ${schema.typeName}`);
  }
}
