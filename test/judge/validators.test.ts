import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Schema } from "../../src/contract/rest/document.js";
import { compileValidators, fitsSchema } from "../../src/judge/validators.js";
import { propertyRuns, propertySeed } from "../support/property-seed.js";
import { tinyContract } from "../verify/derive/tiny-contract.js";

const document = tinyContract();
const leaf = fc.constantFrom<Schema>(
  {},
  { type: "integer" },
  { type: "integer", minimum: 0, maximum: 3 },
  { type: "number" },
  { type: "boolean" },
  { type: "null" },
  { type: ["string", "null"] },
  { type: "string", minLength: 1, maxLength: 2 },
  { type: "string", pattern: "^[a-c]*$" },
  { const: "a" },
  { enum: [1, "a", null] },
);
const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    leaf,
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie("schema") }),
    tie("schema").map((items) => ({ type: "array", items, minItems: 1, maxItems: 2 })),
    fc.tuple(tie("schema"), tie("schema"), fc.boolean()).map(([a, b, open]) => ({
      type: "object",
      properties: { a },
      required: open ? [] : ["a"],
      additionalProperties: open ? b : false,
    })),
  ),
}));
const value = fc.oneof(
  fc.constantFrom<unknown>(
    0,
    1,
    3,
    4,
    1.5,
    "",
    "a",
    "ab",
    "abc",
    "𝔵𝔵",
    "𝔵𝔵𝔵",
    true,
    null,
    [],
    [1],
    ["a", "b"],
    {},
    { a: 1 },
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.record({ a: fc.jsonValue({ maxDepth: 1 }) }),
);

/** Runs a module in a Node process in which Ajv cannot be resolved, as after an install without optional dependencies. */
function runWithoutAjv(code: string): string {
  const block = `import Module from "node:module";
const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) => resolve(/^ajv/.test(name) ? "missing-" + name : name, ...rest);`;
  const preload = ["--import", `data:text/javascript,${encodeURIComponent(block)}`, "--import", "tsx"];
  return execFileSync(process.execPath, [...preload, "--input-type=module", "--eval", code], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    encoding: "utf8",
  });
}

describe("fitsSchema", () => {
  it("agrees with JSON Schema 2020-12", () => {
    const ajv = new Ajv2020({ strict: false });
    fc.assert(
      fc.property(schema, fc.array(value, { minLength: 5, maxLength: 5 }), (one, values) => {
        const validate = ajv.compile(one);
        expect(values.map((each) => fitsSchema(document, one, each))).toEqual(values.map((each) => validate(each)));
      }),
      { seed: propertySeed, numRuns: propertyRuns(150) },
    );
  });

  it("says how to install Ajv if it is missing", () => {
    const code = `import { compileValidators, fitsSchema } from "./src/judge/validators.ts";
      try { fitsSchema({}, {}, 1); } catch (error) { console.log(String(error)); }`;
    expect(runWithoutAjv(code)).toBe(
      "UsageError: Values are compared with schemas by Ajv, which is not installed. Install it with: npm install --save-dev ajv ajv-formats\n",
    );
  });

  it("follows references", () => {
    const error = { $ref: "#/components/schemas/BadRequest" };
    expect(fitsSchema(document, error, { result: "error", msg: "", code: "BAD_REQUEST" })).toBe(true);
    expect(fitsSchema(document, error, { result: "error", msg: "", code: "OTHER" })).toBe(false);
  });
});

describe("compileValidators", () => {
  it("reads other people's operation ids, media types, references, formats and patterns", () => {
    const pet = {
      type: "object",
      properties: { id: { type: "string", format: "guid" }, tag: { type: "string", pattern: "^[\\w-.]+\\_$" } },
    };
    const schema = { $ref: "#/components/schemas/Pet" };
    const content = { "application/json": { schema }, "application/hal+json": { schema } };
    const shared = { $ref: "#/components/responses/Pet/content/application~1json/schema" };
    const operation = {
      operationId: "pets/get:one",
      summary: "",
      tags: [],
      "x-feature": "pets",
      responses: {
        "200": { description: "", content },
        "201": { description: "", content: { "application/json": { schema: shared } } },
      },
    };
    const validators = compileValidators({
      ...document,
      paths: { "/pet": { get: operation } },
      components: { schemas: { Pet: pet }, responses: { Pet: { description: "", content } } },
    })["pets/get:one"];
    expect(Object.keys(validators ?? {})).toEqual(["200", "201", "200 application/hal+json"]);
    for (const validate of Object.values(validators ?? {})) {
      expect([validate({ id: "x", tag: "a-._" }), validate({ tag: "a" }), validate([])]).toEqual([true, false, false]);
    }
  });
});
