import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { Schema } from "../../src/contract/rest/document.js";
import { toDraft07 } from "../../src/dredd/json-schema-draft-07.js";
import { smallDocument } from "../support/small-document.js";

const document = smallDocument();
Object.assign(document.components.schemas, {
  Tree: {
    type: "object",
    description: "A tree.",
    required: ["children"],
    properties: { children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } },
  },
  Circle: {
    type: "object",
    required: ["kind", "radius"],
    properties: { kind: { const: "circle" }, radius: { type: "number" } },
  },
  Square: {
    type: "object",
    required: ["kind", "side"],
    properties: { kind: { const: "square" }, side: { type: "number" } },
  },
});
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Validates with Ajv, which is as strict as the validator of Gavel, on which Dredd relies. */
function fits(schema: Schema, value: unknown): boolean {
  return new Ajv({ strict: false, validateFormats: false }).validate(toDraft07(document, schema), value);
}

describe("toDraft07", () => {
  it.each<[string, Schema, unknown, boolean]>([
    ["a reference", { properties: { tree: ref("Tree") } }, { tree: { children: [] } }, true],
    ["a reference that does not match", { properties: { tree: ref("Tree") } }, { tree: {} }, false],
    ["a recursive schema", ref("Tree"), { children: [{ children: [{ children: [] }] }] }, true],
    ["a recursive schema that does not match at depth", ref("Tree"), { children: [{ children: [{}] }] }, false],
    ["keywords beside a reference", { ...ref("Tree"), required: ["name"] }, { children: [] }, false],
    ["one of several by its tag", { oneOf: [ref("Circle"), ref("Square")] }, { kind: "square", side: 1 }, true],
    [
      "one of several with the fields of another",
      { oneOf: [ref("Circle"), ref("Square")] },
      { kind: "circle", side: 1 },
      false,
    ],
    ["any of several", { anyOf: [{ type: "string" }, { type: "null" }] }, null, true],
    ["none of several", { anyOf: [{ type: "string" }, { type: "null" }] }, 1, false],
    ["a list of types", { type: ["integer", "null"] }, null, true],
    ["a type that is not in the list", { type: ["integer", "null"] }, "1", false],
    ["an open object", { type: "object", properties: { a: {} }, additionalProperties: true }, { b: 1 }, true],
    ["a closed object", { type: "object", properties: { a: {} }, additionalProperties: false }, { b: 1 }, false],
    ["a map", { additionalProperties: { type: "integer" } }, { a: "1" }, false],
    [
      "a property named like an annotation",
      { properties: { description: { type: "integer" } } },
      { description: "x" },
      false,
    ],
    [
      "a property named like a keyword",
      { properties: { required: { type: "integer" }, $ref: {} } },
      { required: 1 },
      true,
    ],
    ["an integer with a format", { type: "integer", format: "int64" }, 1, true],
    ["an excluded code", { not: { enum: ["A"] } }, "A", false],
    ["the first elements of a list", { prefixItems: [{}, { const: 2 }] }, [1, 2, "x"], true],
    ["a wrong element of a list", { prefixItems: [{}, { const: 2 }] }, [1, 3], false],
    ["a wrong element after the first", { prefixItems: [{}], items: { type: "integer" } }, ["x", "x"], false],
  ])("keeps the meaning of %s", (_, schema, value, want) => {
    expect(fits(schema, value)).toBe(want);
  });

  it("returns a standalone document", () => {
    const given = { type: "object", description: "x", "x-feature-level": { added: 1 }, properties: { a: ref("Tree") } };
    expect(toDraft07(document, given)).toEqual({
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { a: { $ref: "#/definitions/Tree" } },
      definitions: {
        Tree: {
          type: "object",
          required: ["children"],
          properties: { children: { type: "array", items: { $ref: "#/definitions/Tree" } } },
        },
      },
    });
  });

  it("drops formats that draft-07 lacks", () => {
    const { properties } = toDraft07(document, {
      properties: { a: { format: "int64" }, b: { format: "uri" } },
    }) as Schema;
    expect(properties).toEqual({ a: {}, b: { format: "uri" } });
  });

  it("rejects keywords and references that draft-07 cannot express", () => {
    expect(() => toDraft07(document, { unevaluatedProperties: false })).toThrow(
      "unevaluatedProperties cannot be expressed",
    );
    expect(() => toDraft07(document, { $ref: "#/$defs/A" })).toThrow("#/$defs/A is not a shared schema");
  });
});
