import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { loadContract } from "../../../src/chat/contract.js";
import type { Schema } from "../../../src/contract/rest/document.js";
import { atFeatureLevel } from "../../../src/contract/rest/level/at-feature-level.js";
import { arbitraryRequests, arbitraryValue, arbitraryViolations } from "../../../src/verify/derive/arbitrary-values.js";
import { fitsText, wrongTexts } from "../../../src/verify/derive/parameter-values.js";
import { listProbedOperations } from "../../../src/verify/derive/probed-operation.js";
import { fitsSchema } from "../../../src/verify/judge/validators.js";
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
    ["no schema at all", {}],
  ])("fits %s", (_, schema) => {
    const document = tinyContract();
    fc.assert(
      fc.property(arbitraryValue(fc, document, schema), (value) => fitsSchema(document, schema, value)),
      settings,
    );
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
