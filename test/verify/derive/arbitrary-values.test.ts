import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { loadContract } from "../../../src/chat/contract.js";
import type { Schema } from "../../../src/contract/rest/document.js";
import { atFeatureLevel } from "../../../src/contract/rest/level/at-feature-level.js";
import { listProbedOperations } from "../../../src/contract/rest/probed-operation.js";
import { fitsSchema } from "../../../src/judge/validators.js";
import { createDocumentAjv } from "../../../src/schema/create-ajv.js";
import { arbitraryRequests, arbitraryValue, arbitraryViolations } from "../../../src/verify/derive/arbitrary-values.js";
import { fitsText, wrongTexts } from "../../../src/verify/derive/parameter-values.js";
import { propertyRuns, propertySeed } from "../../support/property-seed.js";
import { tinyContract } from "./tiny-contract.js";

const view = atFeatureLevel(await loadContract(), newestLevel);
const operations = listProbedOperations(view, []);
const settings = { seed: propertySeed, numRuns: propertyRuns(40) };
const find = (operationId: string) => {
  const found = operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`the contract has no ${operationId}`);
  return found;
};

/** A parameter of its own, in the query. */
const queryOf = (schema: Schema) => ({
  ...tinyContract({ method: "get", parameters: [{ name: "q", in: "query", schema }] }),
});

describe("arbitraryValue", () => {
  it.each<[string, Schema]>([
    ["bounds far from zero", { type: "integer", minimum: 1e6, maximum: 1e6 + 2 }],
    ["bounds below zero", { type: "integer", maximum: -500 }],
    ["lengths", { type: "string", minLength: 2, maxLength: 3 }],
    ["a pattern", { type: "string", pattern: "^b", examples: ["abc", "bcd"] }],
    ["numbers of list items", { type: "array", minItems: 12, maxItems: 13, items: { type: "boolean" } }],
    ["members", { type: "object", required: ["a"], properties: { a: { type: "null" }, b: { type: "number" } } }],
    ["additional members", { type: "object", additionalProperties: { type: ["string", "boolean"] } }],
    ["alternatives", { anyOf: [{ const: 1 }, { enum: ["a", "b"] }] }],
    ["a large minimum", { type: "number", minimum: 1e12 }],
    ["a fractional minimum", { type: "integer", minimum: 0.5, maximum: 7.5 }],
    ["no schema at all", {}],
  ])("fits %s", (_, schema) => {
    const document = tinyContract();
    fc.assert(
      fc.property(arbitraryValue(fc, document, schema), (value) => fitsSchema(document, schema, value)),
      settings,
    );
  });
});

describe("texts of a format", () => {
  const formats = ["date-time", "date", "time", "duration", "uuid", "email", "hostname", "ipv4", "ipv6", "uri", "byte"];

  it.each(formats)("are valid by Ajv: %s", (format) => {
    const validate = createDocumentAjv({ formats: true }).compile({ type: "string", format });
    fc.assert(
      fc.property(arbitraryValue(fc, tinyContract(), { type: "string", format }), (value) => validate(value)),
      settings,
    );
  });

  it("are examples if nobody knows the format", () => {
    const schema = { type: "string", format: "ulid", examples: ["01ARZ3NDEKTSV4RRFFQ69G5FAV"] };
    const known = fc.property(arbitraryValue(fc, tinyContract(), schema), (value) => value === schema.examples[0]);
    fc.assert(known, settings);
  });
});

const varied = operations.filter(({ parameters }) => parameters.some(({ place }) => place !== "header"));

describe.each(varied.map(({ operationId }) => operationId))("random values for %s", (operationId) => {
  const operation = find(operationId);
  const kindsOf = (name: string) => operation.parameters.find((parameter) => parameter.name === name);

  it("match the schemas of a correct request and omit only optional parameters", () => {
    fc.assert(
      fc.property(arbitraryRequests(fc, operation), (values) => {
        for (const [name, value] of Object.entries(values)) {
          const parameter = kindsOf(name);
          if (parameter === undefined) throw new Error(`there is no parameter ${name}`);
          if (value.kind === "omit") expect(parameter.required).toBe(false);
          if (value.kind === "text")
            expect([value.text, fitsText(view, parameter, value.text)]).toEqual([value.text, true]);
        }
      }),
      settings,
    );
  });

  const violations = arbitraryViolations(fc, operation, (one) => wrongTexts(view, one, undefined).length > 0);

  it.runIf(violations !== undefined)("never match the schema if they are meant to violate it", () => {
    if (violations === undefined) throw new Error("there is no violation");
    fc.assert(
      fc.property(violations, (values) => {
        const [[name, value] = ["", { kind: "keep" as const }], ...others] = Object.entries(values);
        const parameter = kindsOf(name);
        if (parameter === undefined || value.kind !== "text") throw new Error("a violation is one text");
        expect(others).toEqual([]);
        expect([value.text, fitsText(view, parameter, value.text)]).toEqual([value.text, false]);
      }),
      settings,
    );
  });
});

describe("random values of unusual schemas", () => {
  const tree: Schema = {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string" },
      left: { $ref: "#/components/schemas/Tree" },
      right: { $ref: "#/components/schemas/Tree" },
      all: { type: "array", items: { $ref: "#/components/schemas/Tree" } },
    },
    additionalProperties: { $ref: "#/components/schemas/Tree" },
  };

  it("end in schemas that contain themselves", () => {
    const document = { ...tinyContract() };
    document.components = { ...document.components, schemas: { ...document.components.schemas, Tree: tree } };
    const values = arbitraryValue(fc, document, { $ref: "#/components/schemas/Tree" });
    fc.assert(
      fc.property(values, (value) => fitsSchema(document, tree, value)),
      settings,
    );
  });

  it.each<[string, Schema]>([
    ["a pattern without examples", { type: "string", pattern: "^[0-9a-f]{64}$" }],
    ["a pattern that is invalid in Unicode mode", { type: "string", pattern: "^[\\w-.]+\\_$" }],
    ["an exclusive bound", { type: "integer", exclusiveMinimum: 5 }],
    ["a multiple", { type: "integer", multipleOf: 7 }],
    ["parts of several schemas", { allOf: [{ type: "integer" }, { minimum: 3 }] }],
  ])("fit, or are not sent: %s", (_, schema) => {
    const document = queryOf(schema);
    const [operation] = listProbedOperations(document, []);
    if (operation === undefined) throw new Error("there is no operation");
    fc.assert(
      fc.property(arbitraryRequests(fc, operation), ({ q }) => {
        if (q?.kind !== "text") return;
        const [parameter] = operation.parameters;
        expect(parameter && fitsText(document, parameter, q.text)).toBe(true);
      }),
      settings,
    );
  });

  it("are wrong though every word fits", () => {
    const document = queryOf({ type: "string", pattern: "^[a-z]+$" });
    const [operation] = listProbedOperations(document, []);
    const violations = operation && arbitraryViolations(fc, operation, () => true);
    if (violations === undefined) throw new Error("there is nothing to violate");
    fc.assert(
      fc.property(violations, ({ q }) => {
        expect(q).toEqual({ kind: "text", text: "no-such-value" });
      }),
      settings,
    );
  });
});
