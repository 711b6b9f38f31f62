import { create, type DescMessage, type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import { nextTurn } from "../../time-slices.js";

/** So many entries take five to ten milliseconds. */
const entriesInTurn = 1_000;

/**
 * Encodes a message in ProtoJSON (https://protobuf.dev/programming-guides/json/), and its lists in turns. It takes what `create`
 * takes, for messages whose JSON has their fields, which is all but some of google.protobuf. Gives the text of `toJsonString`.
 *
 * Rejects with a `TypeError` when a value does not fit its field. It names the message, never the value.
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
    for (let start = 0; start < value.length; start += entriesInTurn) {
      await nextTurn();
      const text = jsonOfMember(schema, localName, value.slice(start, start + entriesInTurn));
      // Of `{"name":[…]}` the name belongs to the first slice alone.
      add(text.slice(start === 0 ? 1 : text.indexOf("[") + 1, -2));
    }
    if (value.length > 0) parts.push(Buffer.from("]"));
  }
  return Buffer.concat([...parts, Buffer.from(parts.length === 0 ? "{}" : "}")]);
}

/** The JSON of a message that has only one member. */
function jsonOfMember(schema: DescMessage, name: string, value: unknown): string {
  try {
    return toJsonString(schema, create(schema, { [name]: value }));
  } catch {
    throw new TypeError(`A value does not fit its field in ${schema.typeName}`);
  }
}
