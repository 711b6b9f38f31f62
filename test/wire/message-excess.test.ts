import { createRegistry, type DescMessage } from "@bufbuild/protobuf";
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import {
  AnySchema,
  FieldMaskSchema,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  SourceCodeInfo_LocationSchema,
  StructSchema,
} from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { maxMessageValues, messageExcess } from "../../src/wire/message-excess.js";

/** The same bytes, given in hexadecimal, more often than there may be values. */
const many = (hex: string, times = maxMessageValues + 1) => Buffer.from(hex.repeat(times), "hex");
const field = (number: number, bytes: Uint8Array) => new BinaryWriter().tag(number, 2).bytes(bytes).finish();
const files = many("0a00");
const anyOfFiles = Buffer.concat([
  field(1, Buffer.from(`type.googleapis.com/${FileDescriptorSetSchema.typeName}`)),
  field(2, files),
]);
const file = new Uint8Array(field(1, Buffer.from("a.proto")));

describe("messageExcess", () => {
  it.each<[name: string, desc: DescMessage, bytes: Uint8Array]>([
    ["texts", FieldMaskSchema, many("0a00")],
    ["messages", FileDescriptorSetSchema, files],
    ["messages in a message", FileDescriptorSetSchema, field(1, many("2200"))],
    ["packed numbers", SourceCodeInfo_LocationSchema, field(1, many("01"))],
    ["entries of a map, with one key", StructSchema, many("0a00")],
    ["values in an entry of a map", StructSchema, field(1, field(2, field(6, many("0a00"))))],
    ["unknown fields", FileDescriptorSetSchema, many("1001")],
    ["unknown groups", FileDescriptorSetSchema, many("1314")],
    ["what an Any holds", AnySchema, anyOfFiles],
    ["values before bytes that are no message", FileDescriptorSetSchema, Buffer.concat([files, many("ff", 20)])],
  ])("refuses too many %s", (_, desc, bytes) => {
    expect(messageExcess(desc, bytes, createRegistry(FileDescriptorSetSchema))).toBe(
      "the message holds more than 100,000 values",
    );
  });

  it.each<[name: string, desc: DescMessage, bytes: Uint8Array]>([
    ["as many values as may be", FileDescriptorSetSchema, many("0a00", maxMessageValues)],
    ["a long text of what could be fields", FileDescriptorProtoSchema, field(1, files)],
    ["an Any of an unknown type", AnySchema, anyOfFiles],
    ["bytes that are no message", FileDescriptorSetSchema, many("ff", 20)],
    ["messages that nest without end", FileDescriptorSetSchema, many("1b")],
    ["a small message", FileDescriptorSetSchema, field(1, file)],
  ])("takes %s", (_, desc, bytes) => {
    expect(messageExcess(desc, bytes, createRegistry())).toBeUndefined();
  });
});
