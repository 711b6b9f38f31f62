import { describe, expect, it } from "vitest";
import { createDocumentAjv } from "../../src/schema/create-ajv.js";
import { describeError } from "../../src/schema/describe-error.js";

/** The problems of a JSON text, in which members may have the names of methods. */
function problems(schema: object, text: string, isAbsent?: (schema: unknown) => boolean): string[] {
  const validate = createDocumentAjv({ formats: true, ...(isAbsent === undefined ? {} : { isAbsent }) }).compile(
    schema,
  );
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

  it("requires no property that does not travel in the judged direction", () => {
    const schema = { required: ["id", "name"], properties: { id: { readOnly: true } } };
    const isReadOnly = (one: unknown) => Object(one).readOnly === true;
    expect(problems(schema, "{}", isReadOnly)).toEqual(["body: must have required property 'name'"]);
    expect(problems(schema, '{"name":1}', isReadOnly)).toEqual([]);
  });

  it("compares many items in a moment, and stops at the first problem of many", () => {
    const items = Array.from({ length: 50_000 }, (_, index) => ({ index }));
    expect(problems({ uniqueItems: true }, JSON.stringify(items))).toEqual([]);
    expect(problems({ items: { type: "string" } }, JSON.stringify(items))).toEqual(["/0: must be string"]);
  });
});
