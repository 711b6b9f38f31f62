import { describe, expect, it } from "vitest";
import { listCases } from "../../../src/contract/rest/cases.js";
import { smallDocument } from "../../support/small-document.js";

describe("listCases", () => {
  const cases = new Map(listCases(smallDocument()).map((one) => [one.name, one]));

  it("pairs a request with the response of the same name", () => {
    expect(cases.get("tagged")).toEqual({
      operationId: "editNote",
      name: "tagged",
      summary: "tagged",
      rule: "notes.edit.tags",
      also: [],
      as: "caller",
      given: [{ state: "note", params: {}, rename: {} }],
      bind: {},
      exact: [],
      request: { path: { note_id: 7 }, query: {}, header: {}, body: { title: "New", tags: ["a"] } },
      response: { status: 200, mediaType: "application/json", body: { result: "success", msg: "" } },
    });
  });

  it("uses the parameter example with the name of the case, or else the default", () => {
    expect([cases.get("rename")?.request.path, cases.get("unknown")?.request.path]).toEqual([
      { note_id: 8 },
      { note_id: 7 },
    ]);
  });

  it("sends the first request of the operation for a case of a shared response", () => {
    expect(cases.get("no_credentials")).toMatchObject({
      as: "nobody",
      request: { body: { title: "New" } },
      response: { status: 401 },
    });
  });
});
