import { describe, expect, it } from "vitest";
import type { Operation } from "../../../src/chat/operation.js";
import { createRouter } from "../../../src/chat/server/match-route.js";

const edit: Operation = {
  feature: "things.edit",
  method: "PATCH",
  path: "/things/{thing_id}",
  parameters: { thing_id: "integer" },
};
const find: Operation = {
  feature: "things.find",
  method: "GET",
  path: "/things/{name}/near",
  parameters: { name: "string" },
};
const view: Operation = {
  feature: "views.remove",
  method: "DELETE",
  path: "/views/{fragment}",
  parameters: { fragment: "segments" },
};
const route = createRouter({ edit, find, view });

describe("createRouter", () => {
  it.each([
    ["GET", "/things/a/near", { kind: "found", operationId: "find" }],
    ["PATCH", "/things/5", { kind: "found", operationId: "edit" }],
    ["GET", "/things/5", { kind: "method-not-allowed", allow: ["PATCH"] }],
    ["GET", "/things/5/6/near", { kind: "not-found" }],
    ["GET", "/things", { kind: "not-found" }],
    ["PATCH", "/things/%zz", { kind: "not-found" }],
    ["DELETE", "/views/", { kind: "not-found" }],
  ])("routes %s %s", (method, path, want) => {
    expect(route(method, path)).toMatchObject(want);
  });

  it("prefers a path without placeholders", () => {
    const literal: Operation = { feature: "f", method: "DELETE", path: "/views/me", parameters: {} };
    expect(createRouter({ view, literal })("DELETE", "/views/me")).toMatchObject({ operationId: "literal" });
  });
});
