import { describe, expect, it } from "vitest";
import type { CallStep } from "../../../src/contract/check.js";
import type { ProbedOperation } from "../../../src/contract/rest/probed-operation.js";
import type { Body, Parameter } from "../../../src/request/operation.js";
import { encodeCall } from "../../../src/verify/http/encode-call.js";

const formType = "application/x-www-form-urlencoded";
const parameters: Parameter[] = [
  { name: "x", place: "path" },
  { name: "q", place: "query", type: "integer" },
  { name: "X-Room", place: "header" },
];
const forms: Record<string, Body> = {
  form: { type: formType, form: "form", fields: [{ name: "n", place: "body", json: true }] },
  json: { type: "a/json", form: "json", required: true, fields: [{ name: "n", place: "body", json: true }] },
  whole: {
    type: "a/json",
    form: "json",
    required: true,
    fields: [{ name: "n", place: "body", json: true, wireName: null }],
  },
  file: { type: "image/png", form: "raw", fields: [{ name: "n", place: "body", isFile: true, wireName: null }] },
};

function send(form: string, call: Partial<CallStep>) {
  const body = forms[form] as Body;
  const request = { method: "POST", path: "/a/{x}/b", parameters, bodies: [body] };
  const operation = { request, parameters: [...parameters, ...body.fields] } as unknown as ProbedOperation;
  return encodeCall(operation, { ...call, with: { x: "c/d", n: 1, ...call.with } }, "http://h/api/");
}

describe("encodeCall", () => {
  it.each<[string, string, Partial<CallStep>, object]>([
    [
      "a call",
      "form",
      {},
      { method: "POST", url: "http://h/api/a/c%2Fd/b", headers: { "Content-Type": formType }, body: "n=1" },
    ],
    ["a verbatim value of the path", "form", { written: { x: "verbatim" } }, { url: "http://h/api/a/c/d/b" }],
    ["a text in a form", "form", { with: { n: "[" }, written: { n: "text" } }, { body: "n=%5B" }],
    ["a text in JSON", "json", { with: { n: "[" }, written: { n: "text" } }, { body: '{"n":[}' }],
    ["a text for JSON", "whole", { with: { n: "[" }, written: { n: "text" } }, { body: "[" }],
    ["a field twice", "form", { written: { n: "twice" } }, { body: "n=1&n=1" }],
    ["a member twice", "json", { written: { n: "twice" } }, { body: '{"n":1,"n":1}' }],
    [
      "a header twice",
      "form",
      { with: { "X-Room": "a" }, written: { "X-Room": "twice" } },
      { headers: { "X-Room": "a, a" } },
    ],
    [
      "a field in the query",
      "form",
      { written: { n: "query" } },
      { url: "http://h/api/a/c%2Fd/b?n=1", body: undefined },
    ],
    ["an object without its only field", "json", { written: { n: "omitted" } }, { body: "{}" }],
    ["no body", "whole", { written: { n: "omitted" } }, { body: undefined }],
    ["another type", "form", { sent: { type: "x/y" } }, { headers: { "Content-Type": "x/y" }, body: "n=1" }],
    ["another body", "json", { sent: { type: "x/y", body: "{" } }, { headers: { "Content-Type": "x/y" }, body: "{" }],
    ["parts", "form", { sent: { multipart: true } }, { body: [["n", "1"]] }],
    ["another method", "form", { sent: { method: "PUT" } }, { method: "PUT", body: undefined }],
    [
      "a described file",
      "file",
      { with: { n: { name: "a.png", text: "ab" } } },
      { headers: { "Content-Type": "image/png" }, body: "2 bytes", bytes: Buffer.from("ab") },
    ],
  ])("writes %s", (_, form, call, want) => {
    const sent = send(form, call);
    expect({ ...sent, body: sent.body }).toMatchObject(want);
  });
});
