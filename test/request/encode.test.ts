import { describe, expect, it } from "vitest";
import { encode } from "../../src/request/encode.js";
import type { Body, Operation, Parameter } from "../../src/request/operation.js";

const style = { name: "form", explode: true };
const field = (name: string, more: Partial<Parameter> = {}): Parameter => ({ name, place: "body", ...more });
const form: Body = {
  type: "application/x-www-form-urlencoded",
  form: "form",
  fields: [field("n"), field("l", { json: true })],
};
const json: Body = {
  type: "a/json",
  form: "json",
  fields: [field("n", { json: true }), field("body.x", { json: true, wireName: "x" })],
};
const whole: Body = { type: "a/json", form: "json", fields: [field("body", { json: true, wireName: null })] };
const raw = (type: string): Body => ({ type, form: "raw", fields: [field("body", { wireName: null })] });

const operation = (body?: Body): Operation => ({
  method: "POST",
  path: "/a/{x}",
  parameters: [
    { name: "x", place: "path" },
    { name: "q", place: "query" },
    { name: "X-Room", place: "header" },
    { name: "c", place: "cookie" },
    { name: "list", place: "query", type: "array", style },
  ],
  ...(body === undefined ? {} : { bodies: [body] }),
});

describe("encode", () => {
  const file = new File(["a"], "a.txt", { type: "text/plain" });

  it("writes half a character, which JSON of a server may have, as the replacement character", () => {
    const { path, headers } = encode(operation(), { x: "a\ud800", c: "\udc00" });
    expect([path, headers]).toMatchObject(["/a/a%EF%BF%BD", { Cookie: "c=%EF%BF%BD" }]);
  });

  it.each<[string, Body | undefined, object, object]>([
    [
      "every place",
      form,
      { q: "ä&=", "X-Room": "east", c: "1;2", n: "a b", l: [1] },
      {
        method: "POST",
        path: "/a/c%2Fd%20e",
        query: "q=%C3%A4%26%3D",
        headers: { "X-Room": "east", Cookie: "c=1%3B2" },
        body: { kind: "content", type: form.type, content: "n=a+b&l=%5B1%5D" },
      },
    ],
    [
      "members of a JSON object",
      json,
      { n: null, "body.x": "y" },
      { body: { type: "a/json", content: '{"n":null,"x":"y"}' } },
    ],
    ["an empty object if a body is required", { ...json, required: true }, {}, { body: { content: "{}" } }],
    ["JSON that is no object", whole, { body: [1] }, { body: { content: "[1]" } }],
    ["a text", raw("text/csv"), { body: "a" }, { body: { type: "text/csv", content: "a" } }],
    ["a text of a range of types", raw("*/*"), { body: "a" }, { body: { type: "text/plain" } }],
    ["bytes with their type", raw("image/*"), { body: file }, { body: { type: "text/plain", content: file } }],
    ["bytes without one", raw("image/png"), { body: new Blob(["a"]) }, { body: { type: "image/png" } }],
    [
      "parts, and one for each file of a list",
      { type: "multipart/form-data", form: "multipart", fields: [field("f", { isFile: true, type: "array" })] },
      { f: [file, file], n: 1 },
      {
        body: {
          kind: "parts",
          parts: [
            ["f", file],
            ["f", file],
            ["n", "1"],
          ],
        },
      },
    ],
    [
      "the type of a part that is no plain text",
      {
        type: "multipart/form-data",
        form: "multipart",
        fields: [field("j", { json: true, contentType: "application/json" })],
      },
      { j: { a: 1 } },
      { body: { kind: "parts", parts: [["j", '{"a":1}', "application/json"]] } },
    ],
    ["unknown parameters as text", undefined, { y: { z: 1 } }, { query: "", body: { content: "y=%7B%22z%22%3A1%7D" } }],
  ])("writes %s", (_, body, values, want) => {
    expect(encode(operation(body), { x: "c/d e", ...values })).toMatchObject(want);
  });

  it("omits what is undefined or null, a body without fields, and any body of GET", () => {
    expect(encode(operation(form), { x: 1, q: undefined, n: null })).toEqual({
      method: "POST",
      path: "/a/1",
      query: "",
      headers: {},
    });
    expect(encode(operation(json), { x: 1 }).body).toBeUndefined();
    expect(encode({ ...operation({ ...json, required: true }), method: "GET" }, { x: 1, n: 1 }).body).toBeUndefined();
  });

  it.each([
    [{}, "POST /a/{x} needs a value for x"],
    [{ x: ".." }, 'x is a path segment and cannot be ".."'],
    [{ x: "" }, 'x is a path segment and cannot be ""'],
    [{ x: 1, list: [[2]] }, "OpenAPI leaves open how list is written: it holds lists or objects"],
  ])("refuses %j", (values, message) => {
    expect(() => encode(operation(), values)).toThrow(new TypeError(message));
  });

  it("writes integers above 2^53 in full when given as bigint, and no replacement pattern", () => {
    expect(encode(operation(), { x: 9007199254740993n }).path).toBe("/a/9007199254740993");
    expect(encode(operation(), { x: "$&$1" }).path).toBe("/a/%24%26%241");
  });
});
