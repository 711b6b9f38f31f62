import { describe, expect, it } from "vitest";
import { alternativesOf, leavesOf } from "../../../src/contract/rest/alternatives.js";
import type { ContractDocument, Schema } from "../../../src/contract/rest/document.js";

const tree: Schema = { anyOf: [{ $ref: "#/components/schemas/Tree" }, { oneOf: [{ type: "integer" }] }] };
const document: ContractDocument = {
  ...{ openapi: "3.1.0", info: { title: "Trees", version: "1" }, servers: [], paths: {} },
  components: { schemas: { Tree: tree } },
};

describe("the alternatives of a schema", () => {
  it("are itself if it has none", () => {
    expect(leavesOf(document, { type: "string" })).toEqual([{ type: "string" }]);
  });

  it("are listed once each, even if the schema contains itself", () => {
    expect(alternativesOf(document, { $ref: "#/components/schemas/Tree" })).toEqual([
      tree,
      { oneOf: [{ type: "integer" }] },
      { type: "integer" },
    ]);
    expect(leavesOf(document, tree)).toEqual([{ type: "integer" }]);
  });
});
