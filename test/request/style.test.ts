import fc from "fast-check";
import { createQuerySerializer, serializeArrayParam, serializeObjectParam } from "openapi-fetch";
import { describe, expect, it } from "vitest";
import { encode } from "../../src/request/encode.js";
import type { ValueStyle } from "../../src/request/operation.js";

/** What encode writes for a value: a segment of the path, or the query. */
function write(place: "path" | "query", style: ValueStyle, name: string, value: object): string {
  const type = Array.isArray(value) ? "array" : "object";
  const parameters = [{ name, place, type, style }];
  const operation = { method: "GET", path: place === "path" ? `/{${name}}` : "/", parameters };
  const { path, query } = encode(operation, { [name]: value });
  return place === "path" ? path.slice(1) : query;
}

describe("styles of lists and objects", () => {
  const list = ["blue", "black", "brown"];
  const object = { R: 100, G: 200, B: 150 };

  // OpenAPI 3.1, "Style Examples".
  it.each<["path" | "query", string, boolean, object, string]>([
    ["path", "matrix", false, list, ";color=blue,black,brown"],
    ["path", "matrix", true, list, ";color=blue;color=black;color=brown"],
    ["path", "matrix", false, object, ";color=R,100,G,200,B,150"],
    ["path", "matrix", true, object, ";R=100;G=200;B=150"],
    ["path", "label", false, list, ".blue,black,brown"],
    ["path", "label", true, list, ".blue.black.brown"],
    ["path", "label", false, object, ".R,100,G,200,B,150"],
    ["path", "label", true, object, ".R=100.G=200.B=150"],
    ["path", "simple", false, list, "blue,black,brown"],
    ["path", "simple", false, object, "R,100,G,200,B,150"],
    ["path", "simple", true, object, "R=100,G=200,B=150"],
    ["query", "form", false, list, "color=blue,black,brown"],
    ["query", "form", true, list, "color=blue&color=black&color=brown"],
    ["query", "form", false, object, "color=R,100,G,200,B,150"],
    ["query", "form", true, object, "R=100&G=200&B=150"],
    ["query", "spaceDelimited", false, list, "color=blue%20black%20brown"],
    ["query", "pipeDelimited", false, list, "color=blue|black|brown"],
    ["query", "deepObject", true, object, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"],
  ])("writes as OpenAPI shows: %s %s %s %j", (place, name, explode, value, want) => {
    expect(write(place, { name, explode }, "color", value).replaceAll(" ", "%20")).toBe(want);
  });

  // Its `label` is that of OpenAPI 3.0, which separates with dots in any case.
  it.each<[string, boolean]>([
    ["simple", false],
    ["matrix", false],
    ["matrix", true],
    ["label", true],
    ["form", false],
    ["form", true],
  ])("writes what openapi-fetch writes: %s %s", (name, explode) => {
    const style = name as "simple" | "matrix" | "label" | "form";
    const text = fc.string({ unit: fc.constantFrom(..."aZ09,;=&|/é漢"), minLength: 1, maxLength: 6 });
    const query = createQuerySerializer({ array: { style: "form", explode }, object: { style: "form", explode } });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (values) => {
        const other = style === "form" ? query({ p: values }) : serializeArrayParam("p", values, { style, explode });
        expect(write(style === "form" ? "query" : "path", { name, explode }, "p", values)).toBe(other);
      }),
    );
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b"), text, { minKeys: 1, noNullPrototype: true }), (values) => {
        const other = style === "form" ? query({ p: values }) : serializeObjectParam("p", values, { style, explode });
        expect(write(style === "form" ? "query" : "path", { name, explode }, "p", values)).toBe(other);
      }),
    );
  });
});
