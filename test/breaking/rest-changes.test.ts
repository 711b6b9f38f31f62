import { describe, expect, it } from "vitest";
import { restChanges } from "../../src/breaking/rest-changes.js";
import { completeOperations } from "../../src/contract/rest/complete-operations.js";
import type { ContractDocument } from "../../src/contract/rest/document.js";

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const form = (encoding?: object) => ({
  required: true,
  content: {
    "application/x-www-form-urlencoded": {
      schema: { type: "object", properties: { tags: { type: "array", items: { type: "string" } } } },
      ...(encoding === undefined ? {} : { encoding }),
    },
  },
});
const pet = { type: "object", required: ["name"], properties: { name: { type: "string" }, age: { type: "integer" } } };
const query = (more: object = {}) => ({ name: "limit", in: "query", schema: { type: "integer" }, ...more });
const kinds = { oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }] };
const discriminated = (mapping?: object) => ({
  ...kinds,
  discriminator: { propertyName: "kind", ...(mapping === undefined ? {} : { mapping }) },
});
const mapping = { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" };
const header = (required?: boolean) => ({
  headers: { "X-Total": { ...(required === undefined ? {} : { required }), schema: { type: "integer" } } },
});
const ok = { description: "A pet.", ...json(pet) };

/** The parts of the only operation that a change may touch. */
interface Parts {
  readonly parameters?: object[];
  readonly requestBody?: object;
  readonly responses?: object;
  readonly [key: string]: unknown;
}

function documentOf(operation: Parts): ContractDocument {
  const put = { operationId: "putPet", responses: { "200": ok }, ...operation };
  const kind = (name: string) => ({ type: "object", properties: { kind: { const: name } } });
  return completeOperations({
    openapi: "3.1.0",
    info: { title: "Pets", version: "1.0.0" },
    servers: [{ url: "/" }],
    paths: { "/pet": { put } },
    components: { schemas: { Cat: kind("cat"), Dog: kind("dog"), Other: kind("other") } },
  });
}

describe("restChanges", () => {
  it.each<[impact: string, change: string, before: Parts, after: Parts]>([
    ["none", "nothing", {}, {}],
    ["major", "a required request body is added", {}, { requestBody: { required: true, ...json(pet) } }],
    ["minor", "an optional request body is added", {}, { requestBody: json(pet) }],
    [
      "major",
      "a request body becomes required",
      { requestBody: json(pet) },
      { requestBody: { required: true, ...json(pet) } },
    ],
    [
      "major",
      "a response header is no longer required",
      { responses: { "200": { ...ok, ...header(true) } } },
      { responses: { "200": { ...ok, ...header() } } },
    ],
    [
      "major",
      "a response header is removed",
      { responses: { "200": { ...ok, ...header(true) } } },
      { responses: { "200": ok } },
    ],
    [
      "major",
      "the discriminator names another property",
      { requestBody: json(discriminated()) },
      { requestBody: json({ ...kinds, discriminator: { propertyName: "type" } }) },
    ],
    [
      "major",
      "a value of the discriminator maps to another schema",
      { requestBody: json(discriminated(mapping)) },
      { requestBody: json(discriminated({ ...mapping, cat: "#/components/schemas/Other" })) },
    ],
    [
      "major",
      "a value of the discriminator is removed",
      { requestBody: json(discriminated({ ...mapping, kitten: mapping.cat })) },
      { requestBody: json(discriminated(mapping)) },
    ],
    [
      "major",
      "the encoding of a form field changes",
      { requestBody: form() },
      { requestBody: form({ tags: { contentType: "application/json" } }) },
    ],
    [
      "major",
      "the default of a parameter changes",
      { parameters: [query({ schema: { type: "integer", default: 10 } })] },
      { parameters: [query({ schema: { type: "integer", default: 20 } })] },
    ],
    [
      "major",
      "a property of the request is removed",
      { requestBody: json(pet) },
      { requestBody: json({ ...pet, properties: { name: pet.properties.name } }) },
    ],
    [
      "none",
      "style and explode are written at their defaults",
      { parameters: [query()] },
      { parameters: [query({ style: "form", explode: true })] },
    ],
    [
      "major",
      "a parameter changes its style",
      { parameters: [query()] },
      { parameters: [query({ style: "pipeDelimited", explode: false })] },
    ],
    [
      "none",
      "an object is split into allOf",
      {},
      {
        responses: {
          "200": {
            description: "A pet.",
            ...json({
              allOf: [
                { type: "object", required: ["name"], properties: { name: { type: "string" } } },
                { type: "object", properties: { age: { type: "integer" } } },
              ],
            }),
          },
        },
      },
    ],
    [
      "minor",
      "the status of an error is removed",
      { responses: { "200": ok, "409": { description: "Taken." } } },
      { responses: { "200": ok } },
    ],
    [
      "major",
      "the status of a success is removed",
      { responses: { "200": ok, "201": ok } },
      { responses: { "200": ok } },
    ],
    ["minor", "an operation is deprecated", {}, { deprecated: true }],
    [
      "minor",
      "a bound of a parameter widens",
      { parameters: [query({ schema: { type: "integer", maximum: 5 } })] },
      { parameters: [query({ schema: { type: "integer", maximum: 9 } })] },
    ],
    [
      "major",
      "a bound of a parameter narrows",
      { parameters: [query({ schema: { type: "integer", maximum: 9 } })] },
      { parameters: [query({ schema: { type: "integer", maximum: 5 } })] },
    ],
  ])("is %s if %s", async (impact, _, before, after) => {
    const changes = await restChanges(documentOf(before), documentOf(after));
    expect(changes, changes.reasons.join("\n")).toMatchObject({
      impact,
      affected: impact === "none" ? [] : ["putPet"],
    });
  });
});
