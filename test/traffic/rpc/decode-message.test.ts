import { createRegistry, type DescMessage } from "@bufbuild/protobuf";
import { AnySchema, FileDescriptorSetSchema, UninterpretedOption_NamePartSchema } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { maxJsonValues } from "../../../src/base/parse-json.js";
import { decodeMessage } from "../../../src/traffic/rpc/decode-message.js";
import { maxMessageValues } from "../../../src/wire/message-excess.js";

const text = (json: string) => Buffer.from(json);
/** The text `a.b/C` as the type of the message, field 1. */
const anyOfUnknownType = Buffer.concat([Buffer.of(10, 5), text("a.b/C")]);
const unread = { kind: "unread", reason: "a message that holds one of a type outside the contract" };

it.each<[string, DescMessage, Uint8Array, "proto" | "json", object]>([
  ["an Any of an unknown type", AnySchema, anyOfUnknownType, "proto", unread],
  ["an Any of an unknown type in JSON", AnySchema, text('{"@type":"a.b/C"}'), "json", unread],
  [
    "a message without a required field",
    UninterpretedOption_NamePartSchema,
    Buffer.of(16, 1),
    "proto",
    { kind: "fault", problem: expect.stringContaining("NamePart, got one without its required field name_part") },
  ],
  [
    "a masked message",
    UninterpretedOption_NamePartSchema,
    text('{"isExtension":"***"}'),
    "json",
    { kind: "unread", reason: "a message with masked values" },
  ],
  [
    "a message of too many values",
    FileDescriptorSetSchema,
    Buffer.from("0a00".repeat(maxMessageValues + 1), "hex"),
    "proto",
    { kind: "unread", reason: "a message beyond a limit: the message holds more than 100,000 values" },
  ],
  [
    "a message of too many values in JSON",
    FileDescriptorSetSchema,
    text(`{"file":[${"{},".repeat(maxJsonValues)}{}]}`),
    "json",
    { kind: "unread", reason: "a message beyond a limit: the answer holds more than 200,000 values" },
  ],
])("decodeMessage reads %s", (_, schema, bytes, codec, want) => {
  expect(decodeMessage(schema, bytes, codec, createRegistry())).toEqual(want);
});
