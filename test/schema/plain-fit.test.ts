import { describe, expect, it } from "vitest";
import { sampleOf } from "../../src/schema/sample/sample.js";

describe("sampleOf", () => {
  it("takes a format that is named like a member of every object for an unknown one", () => {
    const options = { resolve: () => undefined, fits: () => true, absent: "readOnly" as const, isFull: false };
    for (const format of ["__proto__", "constructor"])
      expect(sampleOf({ type: "string", format }, options)).toBe("string");
  });

  const plain = {
    type: "object",
    required: ["id", "at"],
    properties: { id: { type: "integer" }, at: { type: "string" } },
  };
  it.each([
    ["a plain object", plain, false],
    ["a list within bounds", { type: "array", minItems: 2, items: plain }, false],
    ["a text with a pattern", { type: "string", pattern: "^[a-z]{3}$", maxLength: 5 }, false],
    ["bounds that contradict each other", { type: "string", minLength: 9, maxLength: 2 }, true],
    ["a required member that is closed out", { ...plain, required: ["other"], additionalProperties: false }, true],
    ["alternatives", { oneOf: [plain, { type: "string" }] }, true],
    ["a keyword that it does not read", { type: "array", items: plain, unevaluatedItems: false }, true],
    ["an object as an example", { ...plain, example: { id: "x" } }, true],
  ])("compiles a schema only where it must: %s", (_, schema, isCompiled) => {
    let count = 0;
    const fits = () => {
      count++;
      return true;
    };
    sampleOf(schema, { resolve: () => undefined, fits, absent: "readOnly", isFull: false });
    expect(count > 0).toBe(isCompiled);
  });
});
