import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ContractDocument, Schema } from "../../../src/contract/rest/document.js";
import { loadOpenApi } from "../../../src/contract/rest/load-openapi.js";
import { listOperations } from "../../../src/contract/rest/operations.js";
import { resolverOf } from "../../../src/contract/rest/resolver.js";
import { sampleValue, styledSchema } from "../../../src/contract/rest/sample.js";
import { schemasOnly } from "../../../src/contract/rest/schemas-only.js";
import { createDocumentAjv } from "../../../src/schema/create-ajv.js";
import { describeError } from "../../../src/schema/describe-error.js";
import { isThorough } from "../../support/thorough.js";

const folder = mkdtempSync(join(tmpdir(), "accord-sample-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;

/** A document with one schema `S`, and these others. */
async function documentOf(schema: object, schemas: object = {}): Promise<ContractDocument> {
  const file = join(folder, `${files++}.json`);
  const document = { openapi: "3.1.0", info: { title: "A", version: "1" }, paths: {} };
  writeFileSync(file, JSON.stringify({ ...document, components: { schemas: { S: schema, ...schemas } } }));
  return loadOpenApi(file);
}

/** Why the sample of each schema is wrong, by the JSON pointers of the schemas. */
function problemsOf(
  document: ContractDocument,
  schemas: Iterable<readonly [pointer: string, schema: Schema]>,
): string[] {
  const ajv = createDocumentAjv({ formats: true, absent: "writeOnly", resolve: resolverOf(document) });
  ajv.addSchema({ ...schemasOnly(document), $id: "contract" }, "contract");
  return [...schemas].flatMap(([pointer, schema]) => {
    const sample = sampleValue(document, schema, "response");
    const validate = ajv.getSchema(`contract#${pointer.split("/").map(encodeURIComponent).join("/")}`);
    if (validate === undefined || validate(sample)) return [];
    return [`${pointer}: ${describeError(validate.errors?.[0] as never)}: ${JSON.stringify(sample)?.slice(0, 200)}`];
  });
}

const node = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" }, next: { $ref: "#/components/schemas/S" } },
};
const pets = {
  Cat: {
    type: "object",
    required: ["kind", "meow"],
    properties: { kind: { type: "string" }, meow: { type: "integer" } },
  },
  Dog: { type: "object", required: ["kind"], properties: { kind: { type: "string" }, bark: { type: "boolean" } } },
};
const alternatives = [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }];

describe("a sample of a schema", () => {
  it.each<[schema: object, sample: unknown]>([
    [{}, null],
    [{ type: ["null", "string"] }, "string"],
    [{ const: 5 }, 5],
    [{ enum: ["b", "a"] }, "b"],
    [{ type: "string", examples: [5, "five"] }, "five"],
    [{ type: "integer", minimum: 5 }, 5],
    [{ type: "number", exclusiveMinimum: 0, maximum: 1 }, 0.25],
    [{ type: "number", multipleOf: 0.01, minimum: 19.985 }, 19.99],
    [{ type: "integer", maximum: -3 }, -3],
    [{ type: "string", pattern: "^[A-Z]{3}-\\d+$" }, "ABC-0"],
    [{ type: "string", pattern: "(?i)^(?:x|y)z?$", minLength: 2 }, "xz"],
    [{ type: "string", format: "uuid" }, "497f6eca-6276-4993-bfeb-53cbbba6f08a"],
    [{ type: "string", minLength: 8, maxLength: 9 }, "stringst"],
    [{ type: "array", items: { type: "string" }, minItems: 2, uniqueItems: true }, ["string", "string1"]],
    [{ type: "array", contains: { const: 1 }, minContains: 2 }, [1, 1]],
    [{ type: "array", prefixItems: [{ const: "a" }, { const: "b" }], items: false }, ["a", "b"]],
    [{ required: ["a"], additionalProperties: { type: "integer" } }, { a: 0 }],
    [
      { type: "object", minProperties: 2, propertyNames: { pattern: "^x" } },
      { x: null, x1: 1 },
    ],
    [
      { type: "object", minProperties: 1, patternProperties: { "^k\\d$": { const: 1 } }, additionalProperties: false },
      { k0: 1 },
    ],
    [
      { type: "object", required: ["p", "q"], properties: { p: { type: "string", writeOnly: true }, q: {} } },
      { q: null },
    ],
    [
      {
        allOf: [
          { type: "object", properties: { a: { const: 1 } } },
          { required: ["b"], properties: { b: { const: 2 } } },
        ],
      },
      { a: 1, b: 2 },
    ],
    [{ oneOf: [{ type: "integer", maximum: 9 }, { type: "integer" }] }, 10],
    [
      JSON.parse('{"properties":{"a":{"const":1}},"if":{"required":["a"]},"then":{"required":["b"]}}'),
      { a: 1, b: null },
    ],
    [
      { type: "object", properties: { a: { const: 1 } }, dependentRequired: { a: ["c"] } },
      { a: 1, c: null },
    ],
    [node, { id: 0 }],
    [{ type: "array", items: { $ref: "#/components/schemas/S" } }, [[]]],
    [
      { oneOf: alternatives, discriminator: { propertyName: "kind", mapping: { tom: "Cat" } } },
      { kind: "tom", meow: 0 },
    ],
    [{ $ref: "#/components/schemas/S" }, undefined],
  ])("of %j fits it", async (schema, sample) => {
    const document = await documentOf(schema, pets);
    const found = document.components.schemas.S as Schema;
    expect(sampleValue(document, found, "response")).toEqual(sample ?? null);
    expect(problemsOf(document, [["/components/schemas/S", found]])).toEqual([]);
  });

  it("of a request has what is required and no readOnly member", async () => {
    const properties = { id: { readOnly: true }, name: { type: "string" }, note: { type: "string" } };
    const document = await documentOf({ type: "object", required: ["id", "name"], properties });
    expect(sampleValue(document, document.components.schemas.S as Schema, "request")).toEqual({ name: "string" });
  });

  it("is none if thirty schemas each have two of the next", async () => {
    const pair = (next: string) => {
      const properties = { a: { $ref: `#/components/schemas/${next}` }, b: { $ref: `#/components/schemas/${next}` } };
      return { type: "object", required: ["a", "b"], properties };
    };
    const chain = Array.from({ length: 30 }, (_, nth) => [`P${nth}`, pair(`P${nth + 1}`)]);
    const document = await documentOf(pair("P0"), Object.fromEntries([...chain, ["P30", {}]]));
    expect(sampleValue(document, document.components.schemas.S as Schema, "response")).toBeUndefined();
  });

  it("differs by a thousandth at most from no value that others make", async () => {
    const document = await documentOf({
      type: "object",
      required: ["s"],
      properties: { s: { $ref: "#/components/schemas/S" } },
    });
    expect(sampleValue(document, document.components.schemas.S as Schema, "response")).toBeUndefined();
  });
});

describe("a sample for a request", () => {
  it("is none if nothing fits the schema", async () => {
    const document = await documentOf({ type: "object", required: ["a"], additionalProperties: false });
    expect(sampleValue(document, document.components.schemas.S as Schema, "request")).toBeUndefined();
  });

  it.each<[schema: Schema, sample: unknown]>([
    [{ type: "array", items: { type: "integer" } }, [0]],
    [{ type: "object", properties: { a: { type: "integer" } } }, { a: 0 }],
    [{ type: "string" }, "string"],
    [{}, null],
  ])("shows something in a style: %j", async (schema, sample) => {
    const document = await documentOf({});
    expect(sampleValue(document, styledSchema(document, schema), "request")).toEqual(sample);
    const form = { type: "object", required: ["f"], properties: { f: schema } };
    expect(sampleValue(document, styledSchema(document, form, ["f"]), "request")).toEqual({ f: sample });
  });
});

const documents = [
  ...(isThorough ? ["@octokit/openapi/generated/api.github.com.json"] : []),
  "@blockfrost/openapi/openapi.yaml",
  "rclone-openapi/openapi.json",
  "@figma/rest-api-spec/openapi/openapi.yaml",
  "@digdir/dialogporten-schema/swagger.verified.json",
].map((path) => `node_modules/${path}`);

/** Any object fits all alternatives of these schemas of Figma, so that none fits exactly one. */
const impossible = /\/Connector(?:Endpoint|Node): /;

describe.each([...documents, "openapi/chat.yaml"])("%s", (file) => {
  it("has a valid sample for each of its schemas", { timeout: 120_000 }, async () => {
    const document = await loadOpenApi(file);
    const shared = Object.entries(document.components.schemas).map(
      ([name, schema]) => [`/components/schemas/${name}`, schema] as const,
    );
    const own = listOperations(document).flatMap(({ path, method, operation: { responses } }) =>
      Object.entries(responses).flatMap(([status, response]) =>
        Object.entries(("content" in response ? response.content : undefined) ?? {}).map(
          ([type, { schema }]) =>
            [
              `/paths/${path.replaceAll("/", "~1")}/${method}/responses/${status}/content/${type.replaceAll("/", "~1")}/schema`,
              schema ?? {},
            ] as const,
        ),
      ),
    );
    const problems = problemsOf(document, [...shared, ...own]);
    expect(problems.filter((one) => !impossible.test(one))).toEqual([]);
  });
});
