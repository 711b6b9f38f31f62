import { describe, expect, it } from "vitest";
import { encode, serialize, type WireRequest } from "../../src/request/encode.js";
import type { Operation } from "../../src/request/operation.js";

describe("serialize", () => {
  const wire: WireRequest = {
    method: "POST",
    template: "/a/{x}/b",
    path: { x: "c%2Fd%20e" },
    query: [["q", "ä&="]],
    headers: [["Tus-Resumable", "1.0.0"]],
    body: [
      ["n", "1"],
      ["n", "a b"],
    ],
    cookies: [["c", "1;2"]],
    bodyAs: { kind: "form" },
  };
  const form = "application/x-www-form-urlencoded";

  it.each<[string, Partial<WireRequest>, object]>([
    [
      "a repeated header as a list",
      {
        headers: [
          ["X-Room", "east"],
          ["X-Room", "west"],
        ],
        cookies: [],
        body: [],
      },
      { headers: { "X-Room": "east, west" } },
    ],
    [
      "a form",
      {},
      {
        method: "POST",
        path: "/a/c%2Fd%20e/b",
        query: "q=%C3%A4%26%3D",
        headers: { "Tus-Resumable": "1.0.0", Cookie: "c=1%3B2" },
        body: { kind: "content", type: form, content: "n=1&n=a+b" },
      },
    ],
    ["another type", { bodyAs: { kind: "form", type: "x/y" } }, { body: { type: "x/y", content: "n=1&n=a+b" } }],
    ["a text", { bodyAs: { kind: "raw", type: "x/y", content: "{}" } }, { body: { type: "x/y", content: "{}" } }],
    [
      "members of a JSON object",
      { bodyAs: { kind: "json", type: "a/json", isRequired: false } },
      { body: { type: "a/json", content: '{"n":1,"n":a b}' } },
    ],
    [
      "an empty JSON object if a body is required",
      { bodyAs: { kind: "json", type: "a/json", isRequired: true }, body: [] },
      { body: { type: "a/json", content: "{}" } },
    ],
    ["parts", { bodyAs: { kind: "multipart" } }, { body: { kind: "parts", parts: wire.body } }],
    ["an empty list of parts", { bodyAs: { kind: "multipart" }, body: [] }, { body: { parts: [] } }],
  ])("serializes %s", (_, change, want) => {
    expect(serialize({ ...wire, ...change })).toMatchObject(want);
  });

  it("sends no body with GET, and none without fields", () => {
    expect(serialize({ ...wire, method: "GET" }).body).toBeUndefined();
    for (const bodyAs of [wire.bodyAs, { kind: "json", type: "a/json", isRequired: false }] as const)
      expect(serialize({ ...wire, bodyAs, body: [] }).body).toBeUndefined();
  });
});

describe("encode", () => {
  const style = { name: "form", explode: true };
  const operation: Operation = {
    method: "POST",
    path: "/a/{x}",
    parameters: [
      { name: "x", place: "path", type: "string" },
      { name: "list", place: "query", type: "array", style },
    ],
  };

  it.each([
    [{}, "POST /a/{x} needs a value for x"],
    [{ x: ".." }, 'x is a path segment and cannot be ".."'],
    [{ x: "" }, 'x is a path segment and cannot be ""'],
    [{ x: 1, list: [[2]] }, "OpenAPI leaves open how list is written: it holds lists or objects"],
  ])("refuses %j", (values, message) => {
    expect(() => encode(operation, values)).toThrow(new TypeError(message));
  });

  it("sends what the operation lacks as text, and nothing that is undefined or null", () => {
    const values = { x: "a/b", y: { z: 1 }, list: undefined, n: null };
    expect(encode(operation, values)).toMatchObject({
      path: "/a/a%2Fb",
      query: "",
      body: { content: "y=%7B%22z%22%3A1%7D" },
    });
  });
});
