import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type JsonPiece,
  readJsonLists,
} from "../../../../../../reference/daemon/import/formats/json/read-json-lists.js";
import { propertyRuns, propertySeed } from "../../../../../support/property-seed.js";

const names = new Set(["servers", "endpoints"]);

function pieces(text: string): JsonPiece[] {
  return [...readJsonLists(text, names)].filter((piece) => piece !== undefined);
}

function texts(text: string): string[] {
  return pieces(text).flatMap((piece) => (piece.kind === "element" ? [piece.text.trim()] : []));
}

describe("documents", () => {
  it.each<[string, string, string[]]>([
    ["a list", '[1, "a,b]", {"c": [2]}]', ["1", '"a,b]"', '{"c": [2]}']],
    ["a member", '{"x": 1, "servers": [{"a": 1}, {"b": [1, 2]}], "y": {}}', ['{"a": 1}', '{"b": [1, 2]}']],
    ["two members", '{"endpoints":[1],"servers":[2]}', ["1", "2"]],
    ["a member of a member", '{"x": {"servers": [1]}, "y": [{"servers": [2]}]}', []],
    ["a member that is no array", '{"servers": {"a": 1}, "endpoints": "servers"}', []],
    ["escapes", '{"servers":["\\"]", "\\\\", "a\\\\\\""]}', ['"\\"]"', '"\\\\"', '"a\\\\\\""']],
    ["no elements", '{"servers":[ ], "endpoints":[]}', []],
    ["another case", '{"Servers":[1]}', []],
    ["text that ends early", '{"servers":[{"a":1},{"b":"c', ['{"a":1}', '{"b":"c']],
    ["text that ends in the list", '{"servers":[1,', ["1"]],
    ["commas too many", '{"servers":[1,,2,]}', ["1", "2"]],
    ["a colon between elements", '{"servers":[1:2,3]}', ["1:2", "3"]],
    ["brackets of the wrong kind", '{"servers":[{"a":1],{"b":2}]}', ['{"a":1]', '{"b":2}']],
    ["something else", "servers: [1]", []],
    ["nothing", "", []],
    ["a bracket", "[", []],
    ["a brace", "{", []],
    ["a quote", '{"', []],
  ])("finds the elements of %s", (_, text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  it("tells which members are lists", () => {
    expect(pieces('{"version":1, "servers" : [], "endpoints":{}, "a\\"b":[]}')).toEqual([
      { kind: "member", name: "version", isList: false },
      { kind: "member", name: "servers", isList: true },
      { kind: "member", name: "endpoints", isList: false },
      { kind: "member", name: 'a\\"b', isList: false },
    ]);
  });

  it("tells which elements are too long or too deep to be read", () => {
    const [long, deep, flat] = [
      '"'.padEnd(100_000, "x"),
      "[".repeat(40) + "]".repeat(40),
      "[".repeat(20) + "]".repeat(20),
    ];
    expect(pieces(`[${long}", ${deep}, ${flat}]`).map((piece) => piece.kind === "element" && piece.isReadable)).toEqual(
      [false, false, false, true],
    );
  });

  it.each([
    ["a string", `["${"x".repeat(1_000_000)}"]`],
    ["escapes", `["${'\\"'.repeat(500_000)}"]`],
    ["brackets", "[".repeat(1_000_000)],
    ["commas", `[${",".repeat(1_000_000)}]`],
    ["members", `{${'"a":1,'.repeat(160_000)}}`],
  ])("pauses in a long stretch of %s", (_, text) => {
    const pauses = [...readJsonLists(text, names)].filter((piece) => piece === undefined);
    expect(pauses.length).toBeGreaterThanOrEqual(14);
  });
});

it("finds what JSON.parse finds", () => {
  const value = fc.jsonValue({ maxDepth: 4 });
  const key = fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 5 }));
  const document = fc.oneof(fc.array(value), fc.dictionary(key, fc.oneof(fc.array(value), value)));
  fc.assert(
    fc.property(document, fc.constantFrom(0, 2, "\t", "\r\n "), (content, indentation) => {
      const lists = Array.isArray(content)
        ? content
        : Object.entries(content).flatMap(([name, list]) => (names.has(name) && Array.isArray(list) ? list : []));
      const text = JSON.stringify(content, null, indentation);
      expect(texts(text).map((element) => JSON.parse(element))).toEqual(JSON.parse(JSON.stringify(lists)));
    }),
    { seed: propertySeed, numRuns: propertyRuns(1_000) },
  );
});
