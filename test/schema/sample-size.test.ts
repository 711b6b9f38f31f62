import { describe, expect, it } from "vitest";
import { maxSampleValues, sampleSize, shortestMatch } from "../../src/schema/sample-size.js";

const item = { type: "string" };

/** 25 schemas, each of which has the next one twice. */
function doubled(parts: (next: object) => object): Record<string, unknown> {
  const schemas = Array.from({ length: 25 }, (_, index) => [`#${index}`, parts({ $ref: `#${index + 1}` })]);
  return { ...Object.fromEntries(schemas), "#25": item };
}

describe("sampleSize", () => {
  it.each<[string, object, Record<string, unknown>?]>([
    ["items", { items: item, minItems: 100_000_000 }],
    ["items that differ", { items: { properties: { a: item } }, minItems: 500_000, uniqueItems: true }],
    ["members", { minProperties: 10_000_000 }],
    ["characters", { minLength: 1_000_000_000 }],
    ["characters of a pattern", { pattern: "^(x{1000}){100000}$" }],
    ["properties", { $ref: "#0" }, doubled((next) => ({ properties: { a: next, b: next } }))],
    ["parts", { $ref: "#0" }, doubled((next) => ({ allOf: [next, next] }))],
    ["alternatives", { $ref: "#0" }, doubled((next) => ({ oneOf: [{ properties: { a: next } }, { items: next }] }))],
  ])("is too large for too many %s", (_, schema, schemas = {}) => {
    expect(sampleSize(schema, (ref) => schemas[ref])).toBeGreaterThan(maxSampleValues);
  });

  it("counts a circle once", () => {
    const node = { properties: { next: { $ref: "#node" }, name: item } };
    expect(sampleSize(node, () => node)).toBeLessThan(10);
  });
});

describe("shortestMatch", () => {
  it.each([
    ["^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$", 36],
    ["^a*b+c?$", 1],
    ["x{1000000000}", 1_000_000_000],
  ])("of %s is %d", (pattern, length) => {
    expect(shortestMatch(pattern)).toBe(length);
  });
});
