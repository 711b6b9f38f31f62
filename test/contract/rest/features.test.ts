import { describe, expect, it } from "vitest";
import { featureLevelModule } from "../../../scripts/generate/feature-level-table.js";
import { listFeatures } from "../../../src/contract/rest/features.js";
import { smallDocument } from "../../support/small-document.js";

describe("listFeatures", () => {
  it("names operations, parameters, response fields and error codes", () => {
    expect(listFeatures(smallDocument()).map(({ name, level }) => [name, level?.added])).toEqual([
      ["ignored_parameters_unsupported", 167],
      ["notes.edit", undefined],
      ["notes.edit.note_id", undefined],
      // Listed again because its form changed at a level.
      ["notes.edit", undefined],
      ["notes.edit.title", undefined],
      ["notes.edit.tags", 50],
      ["notes.edit.owner", 30],
      ["notes.edit.EMPTY", 60],
      ["tags.get", 40],
    ]);
  });

  it("rejects one name with two levels", () => {
    const document = smallDocument();
    const { properties } = document.components.schemas.Success ?? {};
    Object.assign(document.components.schemas, {
      EditedNote: {
        type: "object",
        properties: { ...properties, tags: { type: "array", "x-feature-level": { added: 70 } } },
      },
    });
    const response = document.paths["/notes/{note_id}"]?.patch?.responses["200"];
    if (response === undefined || "$ref" in response || response.content === undefined) throw new Error("no response");
    Object.assign(response.content["application/json"] ?? {}, { schema: { $ref: "#/components/schemas/EditedNote" } });
    expect(() => featureLevelModule(document)).toThrow("notes.edit.tags has two levels");
  });

  it("names the fields of schemas that all refer to each other once for each operation", () => {
    const document = smallDocument();
    const names = Array.from({ length: 40 }, (_, index) => `Part${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));
    for (const name of names) document.components.schemas[name] = { type: "object", properties };
    const response = document.paths["/notes/{note_id}"]?.patch?.responses["200"];
    if (response === undefined || "$ref" in response || response.content === undefined) throw new Error("no response");
    Object.assign(response.content["application/json"] ?? {}, { schema: { $ref: "#/components/schemas/Part0" } });
    const last = listFeatures(document).filter(({ name }) => name.endsWith(".Part39.Part0"));
    expect(last).toHaveLength(1);
  });
});
