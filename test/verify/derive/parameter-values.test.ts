import { describe, expect, it } from "vitest";
import type { TinyOperation } from "./tiny-contract.js";
import { probesOf } from "./tiny-probes.js";

const some = "4XX";

describe("wrong values of a parameter", () => {
  it.each<[string, TinyOperation, (readonly [string, string])[]]>([
    ["any text: none", { fields: { x: { type: "string" } }, sends: { x: "a" } }, []],
    [
      "an integer",
      { fields: { x: { type: "integer" } }, sends: { x: 1 } },
      [
        ["x-wrong-word", "no-such-value"],
        ["x-wrong-fraction", "1.5"],
      ],
    ],
    ["a boolean", { fields: { x: { type: "boolean" } }, sends: { x: true } }, [["x-wrong-word", "no-such-value"]]],
    [
      "a listed word",
      { fields: { x: { type: "string", enum: ["start", "stop"] } }, sends: { x: "start" } },
      [
        ["x-wrong-word", "no-such-value"],
        ["x-wrong-case", "START"],
      ],
    ],
    [
      "a listed number",
      { fields: { x: { type: "integer", enum: [1, 2] } }, sends: { x: 1 } },
      [
        ["x-wrong-word", "no-such-value"],
        ["x-wrong-fraction", "1.5"],
        ["x-wrong-number", "987654321"],
      ],
    ],
    [
      "an integer or a word",
      { fields: { x: { anyOf: [{ type: "integer" }, { type: "string", enum: ["newest"] }] } }, sends: { x: 1 } },
      [
        ["x-wrong-word", "no-such-value"],
        ["x-wrong-case", "NEWEST"],
        ["x-wrong-fraction", "1.5"],
      ],
    ],
    ["none for an integer or any text", { fields: { x: { anyOf: [{ type: "integer" }, { type: "string" }] } } }, []],
    [
      "an array of integers",
      { fields: { x: { type: "array", items: { type: "integer" } } }, json: ["x"], sends: { x: [1] } },
      [
        ["x-wrong-no-json", '["unfinished'],
        ["x-wrong-json-boolean", "true"],
        ["x-wrong-json-number", "1.5"],
        ["x-wrong-json-text", '"no-such-value"'],
        ["x-wrong-json-array", "[[]]"],
        ["x-wrong-json-object", '{"no-such-member":true}'],
        ["x-wrong-item-boolean", "[true]"],
        ["x-wrong-item-number", "[1.5]"],
        ["x-wrong-item-text", '["no-such-value"]'],
        ["x-wrong-item-array", "[[[]]]"],
        ["x-wrong-item-object", '[{"no-such-member":true}]'],
      ],
    ],
    [
      "any object",
      { fields: { x: { type: "object" } }, json: ["x"], sends: { x: {} } },
      [
        ["x-wrong-no-json", '["unfinished'],
        ["x-wrong-json-boolean", "true"],
        ["x-wrong-json-number", "1.5"],
        ["x-wrong-json-text", '"no-such-value"'],
        ["x-wrong-json-array", "[[]]"],
      ],
    ],
    ["a file: none", { fields: { x: { format: "binary" } }, multipart: true, sends: { x: {} } }, []],
  ])("are listed for %s", async (_, operation, want) => {
    expect(await probesOf(operation, /-wrong-/)).toEqual(want.map(([name, text]) => [name, text, some]));
  });

  it("include wrong members of the items of an array", async () => {
    const item = {
      type: "object",
      required: ["id"],
      properties: { id: { type: "integer" }, value: { type: "string" } },
    };
    const operation = {
      fields: { x: { type: "array", items: item } },
      json: ["x"],
      sends: { x: [{ id: 1, value: "a" }] },
    };
    const found = await probesOf(operation, /-wrong-(item-without-|id-|value-)/);
    expect(found.map(([name, text]) => [name, text])).toEqual([
      ["x-wrong-item-without-id", '[{"value":"a"}]'],
      ["x-wrong-id-boolean", '[{"id":true,"value":"a"}]'],
      ["x-wrong-id-number", '[{"id":1.5,"value":"a"}]'],
      ["x-wrong-id-text", '[{"id":"no-such-value","value":"a"}]'],
      ["x-wrong-id-array", '[{"id":[[]],"value":"a"}]'],
      ["x-wrong-id-object", '[{"id":{"no-such-member":true},"value":"a"}]'],
      ["x-wrong-value-boolean", '[{"id":1,"value":true}]'],
      ["x-wrong-value-number", '[{"id":1,"value":1.5}]'],
      ["x-wrong-value-array", '[{"id":1,"value":[[]]}]'],
      ["x-wrong-value-object", '[{"id":1,"value":{"no-such-member":true}}]'],
    ]);
  });
});

describe("values at the bounds of a parameter", () => {
  it.each<[string, TinyOperation, (readonly [string, string, string])[]]>([
    ["none", { fields: { x: { type: "integer" } }, sends: { x: 1 } }, []],
    [
      "minimum and maximum",
      { fields: { x: { type: "integer", minimum: 1, maximum: 8 } }, sends: { x: 3 } },
      [
        ["x-beyond-minimum", "0", some],
        ["x-beyond-maximum", "9", some],
        ["x-at-minimum", "1", "any"],
        ["x-at-maximum", "8", "any"],
      ],
    ],
    [
      "lengths in code points",
      { fields: { x: { type: "string", minLength: 1, maxLength: 2 } }, sends: { x: "a" } },
      [
        ["x-beyond-min-length", "", some],
        ["x-beyond-max-length", "𝔵𝔵𝔵", some],
        ["x-at-min-length", "𝔵", "any"],
        ["x-at-max-length", "𝔵𝔵", "any"],
      ],
    ],
    [
      "numbers of items",
      { fields: { x: { type: "array", minItems: 1, maxItems: 2 } }, json: ["x"], sends: { x: [7] } },
      [
        ["x-beyond-min-items", "[]", some],
        ["x-beyond-max-items", "[7,7,7]", some],
        ["x-at-min-items", "[7]", "any"],
        ["x-at-max-items", "[7,7]", "any"],
      ],
    ],
    [
      "bounds that are excluded, and multiples",
      { fields: { x: { type: "integer", exclusiveMinimum: 1, exclusiveMaximum: 9, multipleOf: 2 } }, sends: { x: 4 } },
      [
        ["x-beyond-exclusive-minimum", "1", some],
        ["x-beyond-exclusive-maximum", "9", some],
        ["x-beyond-multiple-of", "5", some],
        ["x-at-exclusive-minimum", "2", "any"],
        ["x-at-exclusive-maximum", "8", "any"],
        ["x-at-multiple-of", "4", "any"],
      ],
    ],
    [
      "an item twice",
      { fields: { x: { type: "array", uniqueItems: true } }, json: ["x"], sends: { x: [7] } },
      [["x-beyond-unique-items", "[7,7]", some]],
    ],
    ["nothing below length 0", { fields: { x: { type: "string", minLength: 0 } } }, [["x-at-min-length", "", "any"]]],
    [
      "the first bound of each kind among alternatives",
      {
        fields: {
          x: {
            anyOf: [
              { type: "integer", minimum: 5 },
              { type: "integer", minimum: 9, maximum: 10 },
            ],
          },
        },
        sends: { x: 5 },
      },
      [
        ["x-beyond-minimum", "4", some],
        ["x-at-minimum", "5", "any"],
        ["x-at-maximum", "10", "any"],
      ],
    ],
    [
      "a pattern",
      { fields: { x: { type: "string", pattern: "^[a-z]+$" } }, sends: { x: "a" } },
      [["x-beyond-pattern", "!", some]],
    ],
  ])("are listed for %s", async (_, operation, want) => {
    expect(await probesOf(operation, /-(at|beyond)-(min|max|pattern|exclusive|multiple|unique)/)).toEqual(want);
  });
});
