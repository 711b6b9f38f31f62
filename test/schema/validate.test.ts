import { describe, expect, it } from "vitest";
import { valueAt } from "../../src/contract/json-pointer.js";
import { createDocumentAjv } from "../../src/schema/create-ajv.js";
import { describeError } from "../../src/schema/describe-error.js";
import type { AbsentKeyword } from "../../src/schema/direction.js";

/** The problems of a JSON text, in which members may have the names of methods. */
function problems(schema: object, text: string, absent?: AbsentKeyword): string[] {
  const resolve = (ref: string) => valueAt(schema, ref);
  const validate = createDocumentAjv({ formats: true, resolve, absent }).compile(schema);
  return validate(JSON.parse(text)) ? [] : (validate.errors ?? []).map(describeError);
}

const odd = '{"valueOf":1,"toString":2,"constructor":3}';

describe("a schema of a document", () => {
  it.each<[object, string, string[]]>([
    [{ uniqueItems: true }, `[${odd},{"valueOf":1},{"toString":[]}]`, []],
    [
      { uniqueItems: true },
      `[${odd},1,{"constructor":3,"toString":2,"valueOf":1}]`,
      ["body: must NOT have duplicate items (items ## 0 and 2 are identical)"],
    ],
    [{ uniqueItems: true }, '["1",1,"[1]",[1],["1"],true,"true",null,"null"]', []],
    [{ const: JSON.parse(odd) }, odd, []],
    [{ const: { valueOf: 1 } }, '{"valueOf":2}', ['body: must be equal to constant {"valueOf":1}']],
    [{ enum: [{ toString: 1 }, null] }, '{"toString":1}', []],
    [{ enum: [{ toString: 1 }, "a"] }, "1", ['body: must be one of {"toString":1}, a']],
    [{ enum: [] }, "1", ["body: must be one of "]],
    [{ const: "a" }, '"b"', ['body: must be equal to constant "a"']],
    [{ multipleOf: 0.01 }, "19.99", []],
    [{ multipleOf: 0.01 }, "19.995", ["body: must be multiple of 0.01"]],
    [{ multipleOf: 1e-7 }, "1e21", []],
    [{ multipleOf: 3 }, "9007199254740991", ["body: must be multiple of 3"]],
    [{ required: ["constructor", "toString"] }, "{}", ["body: must have required property 'constructor'"]],
    [{ required: ["constructor"] }, odd, []],
    [{ properties: { constructor: { type: "string" } } }, "{}", []],
    [{ nullable: true, min_items: 3, id: 5, "x-a": 1, javaType: "a" }, "{}", []],
    [{ properties: {}, additionalProperties: false }, '{"a b":1}', ['body: must NOT have the property "a b"']],
    [{ unevaluatedProperties: false }, '{"a":1}', ['body: must NOT have the property "a"']],
    [{ patternProperties: { "(?i)^x": { type: "string" } } }, '{"X":1}', ["/X: must be string"]],
    [{ type: "string", format: "no-such-format" }, '"a"', []],
  ])("%j judges %s", (schema, text, expected) => {
    expect(problems(schema, text)).toEqual(expected);
  });

  it.each<[what: string, schema: object]>([
    ["of the same schema", { required: ["id", "name"], properties: { id: { readOnly: true } } }],
    ["by a part of its schema", { required: ["id", "name"], properties: { id: { allOf: [{ readOnly: true }] } } }],
    ["by a reference", { required: ["id", "name"], properties: { id: { $ref: "#/$defs/id" } } }],
    ["of another part", { allOf: [{ properties: { id: { readOnly: true } } }, { required: ["id", "name"] }] }],
    ["of a part", { required: ["id", "name"], allOf: [{ $ref: "#/$defs/own" }] }],
  ])("requires no property %s that does not travel in the judged direction", (_, schema) => {
    const definitions = { id: { readOnly: true }, own: { properties: { id: { readOnly: true } } } };
    const list = { items: { ...schema }, $defs: definitions };
    expect(problems(list, "[{}]", "readOnly")).toEqual(["/0: must have required property 'name'"]);
    expect(problems(list, '[{"name":1}]', "readOnly")).toEqual([]);
    expect(problems(list, '[{"name":1}]', "writeOnly")).toEqual(["/0: must have required property 'id'"]);
  });

  it.each<[text: string, expected: string[]]>([
    ['{"kind":"c","meow":1}', []],
    ['{"kind":"c","bark":1}', ["body: must have required property 'meow'"]],
    ['{"kind":"Dog","bark":"loud"}', ["/bark: must be integer"]],
    ['{"kind":"fish"}', ["body: must name a schema by `kind`: one of c, Cat, Dog"]],
    ['{"kind":5}', ["body: must have required property 'meow'", "body: must have required property 'bark'"]],
    ["null", []],
  ])("judges %s by the alternative that its discriminator names", (text, expected) => {
    const of = (name: string) => ({ required: ["kind", name], properties: { [name]: { type: "integer" } } });
    const schema = {
      $defs: { Cat: of("meow"), Dog: of("bark") },
      oneOf: [{ $ref: "#/$defs/Cat" }, { $ref: "#/$defs/Dog" }, { type: "null" }],
      discriminator: { propertyName: "kind", mapping: { c: "Cat" } },
    };
    expect(problems(schema, text)).toEqual(expect.arrayContaining(expected));
    expect(problems(schema, text)).toHaveLength(expected.length === 2 ? 4 : expected.length);
  });

  it("compares many items in a moment, and stops at the first problem of many", () => {
    const items = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    expect(problems({ uniqueItems: true }, JSON.stringify(items))).toEqual([]);
    expect(problems({ items: { type: "string" } }, JSON.stringify(items))).toEqual(["/0: must be string"]);
  });
});
