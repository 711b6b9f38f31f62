import { create, createRegistry } from "@bufbuild/protobuf";
import { AnySchema, anyPack, EmptySchema, FieldMaskSchema, OptionSchema, TypeSchema } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { clearUnwritable, fullJson } from "../../src/contract/rpc/messages.js";

it("removes an Any of an unknown type from a message, and nothing else", () => {
  const registry = createRegistry(EmptySchema);
  const unknown = create(AnySchema, { typeUrl: "type.googleapis.com/acme.Unknown", value: Uint8Array.of(8, 1) });
  const options = [create(OptionSchema, { name: "a", value: unknown })];
  const message = create(TypeSchema, { name: "T", options });
  expect(() => fullJson(TypeSchema, message, registry)).toThrow(/registry/);
  clearUnwritable(TypeSchema, message, registry);
  expect(fullJson(TypeSchema, message, registry)).toMatchObject({ name: "T", options: [{ name: "a" }] });

  const known = create(OptionSchema, { name: "b", value: anyPack(EmptySchema, create(EmptySchema)) });
  clearUnwritable(OptionSchema, known, registry);
  expect(known.value).toBeDefined();
  expect(() => fullJson(FieldMaskSchema, create(FieldMaskSchema, { paths: ["a_1"] }))).toThrow();
});
