import { describe, expect, it } from "vitest";
import { resolve } from "../../../src/contract/rest/document.js";

describe("resolve", () => {
  const document = { components: { schemas: { UserId: { type: "integer" } } } };

  it.each([
    ["a local reference", { $ref: "#/components/schemas/UserId" }, { type: "integer" }],
    ["no reference", { type: "string" }, { type: "string" }],
    [
      "a member of data that is named $ref",
      { $ref: "https://example.com/users/1" },
      { $ref: "https://example.com/users/1" },
    ],
  ])("resolves %s", (_, given, wanted) => {
    expect(resolve<object>(document, given)).toEqual(wanted);
  });

  it("returns data that has a member of the name of a reference as it is", () => {
    expect(resolve<object>(document, { $ref: "#/nothing" })).toEqual({ $ref: "#/nothing" });
  });
});
