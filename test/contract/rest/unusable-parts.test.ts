import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { notJudged, type ParameterObject, resolve } from "../../../src/contract/rest/document.js";
import { loadOpenApi } from "../../../src/contract/rest/load-openapi.js";
import { listOperations } from "../../../src/contract/rest/operations.js";

const folder = mkdtempSync(join(tmpdir(), "accord-unusable-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** Reads a document with these paths and schemas, as YAML in one line each. */
async function read(paths: string, schemas = "{}", others: Readonly<Record<string, string>> = {}) {
  const own = join(folder, String(files++));
  const text = `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: ${paths}\ncomponents: {schemas: ${schemas}}\n`;
  for (const [name, content] of Object.entries({ "openapi.yaml": text, ...others })) {
    mkdirSync(dirname(join(own, name)), { recursive: true });
    writeFileSync(join(own, name), content);
  }
  const document = await loadOpenApi(join(own, "openapi.yaml"));
  const said = (document[notJudged] ?? []).map(({ line, column, text: what }) => `${line}:${column}: ${what}`);
  return { document, said, ids: listOperations(document).map(({ operation }) => operation.operationId) };
}

const ok = (schema: string) => `{get: {responses: {"200": {description: "", content: {a/json: {schema: ${schema}}}}}}}`;

describe("a part of a document that cannot be used", () => {
  it.each<[part: string, schema: string, said: string[], kept: object]>([
    ["a pattern", "{pattern: (a}", ['`pattern` "(a" cannot be read as a regular expression: Unterminated group'], {}],
    ["a name pattern", "{patternProperties: {'(': {}}, additionalProperties: false}", ['`patternProperties` "("'], {}],
    ["a negative length", "{minLength: -1, maxLength: 2}", ["`minLength` must be an integer"], { maxLength: 2 }],
    ["an empty list", "{enum: []}", ["`enum` must list values"], {}],
    ["a type of another language", "{type: strng}", ["`type` must be one of string, number"], {}],
    ["a wrong list", "{required: true, multipleOf: 0}", ["`required` must list", "`multipleOf` must be"], {}],
    ["a type of no value in a list", "{type: object, enum: [A]}", ["`type` allows nothing that `enum` does"], {}],
    [
      "a type of no alternative",
      "{type: 'null', title: T, oneOf: [{type: string}, {type: integer}]}",
      ["`type` allows nothing that `oneOf` does"],
      { title: "T" },
    ],
    ["no schema", "{items: 5}", ["`items` is not an object"], { items: {} }],
    ["a reference to nothing", '{$ref: "#/nothing"}', ['`$ref` names "#/nothing", which does not exist'], {}],
    ["a file of another host", '{$ref: "http://a.test/b"}', ['`$ref` names "http://a.test/b", which is not read'], {}],
    ["a list of items", "{type: array, items: [{}]}", ["`items` is a list, where OpenAPI has one"], { type: "array" }],
    ["a recursive reference", '{allOf: [{$recursiveRef: "#"}]}', ["`$recursiveRef` is not of"], { allOf: [{}] }],
    [
      "a schema of itself",
      '{allOf: [{$ref: "#/components/schemas/S"}]}',
      ["`$ref` leads back to itself"],
      { allOf: [{}] },
    ],
  ])("%s is named with its line and operation, and the rest is kept", async (_, schema, said, kept) => {
    const found = await read(`{/a: ${ok('{$ref: "#/components/schemas/S"}')}}`, `{S: ${schema}}`);
    expect(found.said).toEqual(said.map((text) => expect.stringContaining(text)));
    for (const text of found.said) expect(text).toMatch(/^4:\d+: .*, so it is not judged \(of GET \/a\)$/);
    expect(found.document.components.schemas.S).toEqual(kept);
    expect(found.ids).toEqual(["getA"]);
  });

  it.each([
    "{type: number, enum: [1]}",
    "{type: [string, 'null'], enum: [null]}",
    "{type: number, anyOf: [{type: integer}]}",
    "{type: integer, oneOf: [{type: number}, {type: string}]}",
    "{type: object, anyOf: [{required: [a]}]}",
    "{type: object, oneOf: [{$ref: '#/components/schemas/T'}]}",
  ])("is none of %s", async (schema) => {
    const { said } = await read(`{/a: ${ok(schema)}}`, "{T: {type: object}}");
    expect(said).toEqual([]);
  });

  it("leaves the other parts of its operation, and the other operations", async () => {
    const parameters = '[{name: "", in: query}, {$ref: "#/nothing"}, {name: b, in: body}, {name: q, in: query}]';
    const paths = `{/a: {parameters: ${parameters}, get: {responses: {2xx: {description: ""}, abc: {}}}}, /b: {$ref: "b.yaml"}, /c: 5, "/d?e=1": {}}`;
    const { document, said } = await read(paths);
    expect(said).toEqual([
      expect.stringContaining("is a parameter without a name, so it is not judged (of GET /a)"),
      expect.stringContaining('names "#/nothing", which does not exist, so it is not judged (of GET /a)'),
      expect.stringContaining('is a parameter in "body", which OpenAPI 3 does not have'),
      expect.stringContaining("`abc` is no status, so it is not judged (of GET /a)"),
      expect.stringContaining('names "b.yaml", which does not exist'),
      expect.stringContaining("`/c` is not an object"),
      expect.stringContaining("`/d?e=1` has a query or fragment, which no path of OpenAPI has"),
    ]);
    expect(document.paths).toEqual({
      "/a": {
        get: expect.objectContaining({
          parameters: [{ name: "q", in: "query" }],
          responses: { "2XX": { description: "" } },
        }),
      },
    });
  });

  it("leaves out headers whose names no header may have", async () => {
    const responses = '{"200": {description: "", headers: {"a b": {}, "\\nx": {}, X-Kept: {}}}}';
    const { document, said } = await read(
      `{/a: {get: {parameters: [{name: "é", in: header}], responses: ${responses}}}}`,
    );
    const what = "has a name that no header may have";
    expect(said).toEqual([1, 2, 3].map(() => expect.stringContaining(what)));
    const [{ operation }] = listOperations(document) as [ReturnType<typeof listOperations>[number]];
    expect([operation.parameters, operation.responses["200"]]).toMatchObject([[], { headers: { "X-Kept": {} } }]);
  });

  it.each<[string, string, object]>([
    ["words of other vocabularies", "{min_items: 3, id: x, nullable: true}", { min_items: 3, id: "x" }],
    [
      "schemas that are true or false",
      "{properties: {a: true}, not: false, additionalProperties: false}",
      { properties: { a: {} }, not: { not: {} }, additionalProperties: false },
    ],
    [
      "a reference by an anchor",
      '{$defs: {D: {$anchor: d}}, $ref: "#d"}',
      { $defs: { D: {} }, $ref: "#/components/schemas/S/$defs/D" },
    ],
    [
      "references below an id",
      '{$id: "https://a.test/s", $defs: {D: {type: string}}, properties: {a: {$ref: "#/$defs/D"}, b: {$ref: "https://a.test/s"}, c: {$ref: "#/components/schemas/S"}, d: {$dynamicRef: "#/$defs/D"}}}',
      {
        $defs: { D: { type: "string" } },
        properties: {
          a: { $ref: "#/components/schemas/S/$defs/D" },
          b: { $ref: "#/components/schemas/S" },
          c: { $ref: "#/components/schemas/S" },
          d: { $ref: "#/components/schemas/S/$defs/D" },
        },
      },
    ],
    [
      "a percent-encoded file name",
      '{properties: {a: {$ref: "my%20file.yaml#/X"}}}',
      { properties: { a: { $ref: "#/components/schemas/X" } } },
    ],
  ])("is none of %s", async (_, schema, kept) => {
    const { said, document } = await read(`{/a: ${ok("{}")}}`, `{S: ${schema}}`, {
      "my file.yaml": "X: {type: string}\n",
    });
    expect(said).toEqual([]);
    expect(document.components.schemas.S).toEqual(kept);
  });

  it("is none of a percent-encoded JSON pointer, and a name that only the path has is a text", async () => {
    const item = "{parameters: [{name: b, in: path, required: true, schema: {type: integer}}], responses: {}}";
    const { said, document } = await read(
      `{"/a/{b}": {get: ${item}}, "/c/{b}/{d}": {get: {parameters: [{$ref: "#/paths/~1a~1%7Bb%7D/get/parameters/0"}], responses: {}}}}`,
    );
    expect(said).toEqual([]);
    const parameters = document.paths["/c/{b}/{d}"]?.get?.parameters ?? [];
    expect(parameters.map((one) => resolve<ParameterObject>(document, one))).toMatchObject([
      { name: "d", required: true, schema: { type: "string" } },
      { name: "b", schema: { type: "integer" } },
    ]);
  });

  it("gives each operation an id of its own, none of which every object has", async () => {
    const operation = (id: string) => `{get: {operationId: ${id}, responses: {}}}`;
    const paths = `{/a: ${operation("constructor")}, /b: ${operation("same")}, /c: ${operation("same")}, /d: {$ref: "item.yaml"}, /e: {$ref: "item.yaml"}}`;
    expect((await read(paths, "{}", { "item.yaml": operation("item") })).ids).toEqual([
      "getA",
      "same",
      "getC",
      "item",
      "getE",
    ]);
  });

  it("is no data of an example, whatever it looks like, and nothing is fetched", async () => {
    let requests = 0;
    const server = createServer((_, response) => void response.end(String(requests++))).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
    try {
      const media = `{schema: {const: {$ref: "${url}"}}, examples: {a: {externalValue: "${url}"}, b: {value: {$ref: "${url}"}}}}`;
      const { said, document } = await read(
        `{/a: {get: {responses: {"200": {description: "", content: {a/json: ${media}}}}}}}`,
      );
      expect(said).toEqual([expect.stringMatching(/`externalValue` names .* not read without --remote/)]);
      expect(document.paths["/a"]?.get?.responses["200"]).toMatchObject({
        content: { "a/json": { schema: { const: { $ref: url } }, examples: { b: { value: { $ref: url } } } } },
      });
      expect(requests).toBe(0);
    } finally {
      server.close();
    }
  });

  it("is a long chain of references, but not one of a few", async () => {
    const chain = (length: number) =>
      `{${Array.from({ length }, (_, index) => `S${index}: {allOf: [{$ref: "#/components/schemas/S${index + 1}"}]}`).join(", ")}, S${length}: {type: string}}`;
    expect((await read("{}", chain(90))).said).toEqual([]);
    expect((await read("{}", chain(2_000))).said.join()).toMatch(/leads (?:over|to a chain of) more than 200/);
  });

  it.each([
    [
      "values",
      `x-a0: &a0 [x]\n${Array.from({ length: 9 }, (_, n) => `x-a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join()}]`).join("\n")}`,
      "more than 2000000 values",
    ],
    ["levels", `x-a: ${"[".repeat(600)}${"]".repeat(600)}`, "nesting exceeded maxDepth (100)"],
    ["turns", "x-a: &a [*a]", "contains itself"],
  ])("is the whole document if it has too many %s", async (_, text, problem) => {
    const file = join(folder, `${files++}.yaml`);
    writeFileSync(file, `openapi: 3.1.0\ninfo: {title: A, version: "1"}\npaths: {}\n${text}\n`);
    await expect(loadOpenApi(file)).rejects.toThrow(problem);
  });
});
