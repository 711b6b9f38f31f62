import { describe, expect, it } from "vitest";
import { createDocumentAjv } from "../../src/schema/create-ajv.js";
import { validateWithin } from "../../src/schema/validate-within.js";
import type { Validator } from "../../src/schema/validator.js";

/** Compiles a schema whose comparisons may take this long, and counts how often that was exceeded. */
function compile(schema: object, limitMs: number) {
  let overdue = 0;
  const validate = validateWithin(
    createDocumentAjv({ formats: false }).compile(schema) as Validator,
    () => {
      overdue++;
    },
    limitMs,
  );
  return { validate, overdue: () => overdue };
}

const text = `${"a".repeat(40)}!`;
/** Only JavaScript's engine reads each, which takes exponential time. */
const slow = Array.from({ length: 300 }, (_, index) => ({ pattern: `^(?=(a+)+$)b${index}` }));
const nested = (depth: number): object =>
  depth === 0 ? { type: "string" } : { allOf: [nested(depth - 1), nested(depth - 1)] };

describe("validateWithin", () => {
  it.each<[string, object, unknown]>([
    ["many slow patterns", { allOf: slow }, text],
    ["many alternatives of many items", { items: nested(10) }, Array(100_000).fill("a")],
  ])("ends a comparison with %s, and judges nothing more", (_, schema, value) => {
    const { validate, overdue } = compile(schema, 50);
    expect([validate(value), validate.errors, overdue()]).toEqual([true, null, 1]);
    expect([validate(1), overdue()]).toEqual([true, 1]);
  });

  it("gives up a schema that leads back to itself", () => {
    const given: string[] = [];
    const endless: Validator = (value) => endless(value);
    const validate = validateWithin(endless, (limit) => given.push(limit));
    expect([validate(1), validate(1), given]).toEqual([true, true, ["depth"]]);
  });

  it.each([
    ["small", [1]],
    ["large", Array(10_000).fill(1)],
  ])("judges a %s value, with its errors", (_, value) => {
    const { validate, overdue } = compile({ items: { type: "string" } }, 60_000);
    expect([validate(value), overdue()]).toEqual([false, 0]);
    expect(validate.errors).toMatchObject([{ instancePath: "/0", keyword: "type" }]);
    expect([validate(["a"]), validate.errors]).toEqual([true, null]);
  });
});
