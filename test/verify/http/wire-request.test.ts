import { describe, expect, it } from "vitest";
import type { WireRequest } from "../../../src/verify/http/wire-request.js";
import { serializeRequest } from "../../../src/verify/http/wire-request.js";

describe("serializeRequest", () => {
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
        url: "http://h/api/v1/a/c%2Fd%20e/b?q=%C3%A4%26%3D",
        headers: { "Tus-Resumable": "1.0.0", Cookie: "c=1%3B2", "Content-Type": form },
        body: "n=1&n=a+b",
      },
    ],
    [
      "another type",
      { bodyAs: { kind: "form", type: "x/y" } },
      { headers: { "Content-Type": "x/y" }, body: "n=1&n=a+b" },
    ],
    [
      "a text",
      { bodyAs: { kind: "raw", type: "x/y", content: "{}" } },
      { headers: { "Content-Type": "x/y" }, body: "{}" },
    ],
    [
      "members of a JSON object",
      { bodyAs: { kind: "json", type: "a/json", isRequired: false } },
      { body: '{"n":1,"n":a b}', headers: { "Content-Type": "a/json" } },
    ],
    [
      "an empty JSON object if a body is required",
      { bodyAs: { kind: "json", type: "a/json", isRequired: true }, body: [] },
      { body: "{}", headers: { "Content-Type": "a/json" } },
    ],
    ["parts", { bodyAs: { kind: "multipart" } }, { body: wire.body }],
    ["an empty list of parts", { bodyAs: { kind: "multipart" }, body: [] }, { body: [] }],
  ])("serializes %s", (_, change, want) => {
    expect(serializeRequest({ ...wire, ...change }, "http://h/api/v1/")).toMatchObject(want);
  });

  it("sends no body with GET, and no media type without a body", () => {
    expect(serializeRequest({ ...wire, method: "GET" }, "http://h").body).toBeUndefined();
    for (const bodyAs of [wire.bodyAs, { kind: "json", type: "a/json", isRequired: false }] as const) {
      const { body, headers } = serializeRequest({ ...wire, bodyAs, body: [] }, "http://h");
      expect([body, headers["Content-Type"]]).toEqual([undefined, undefined]);
    }
  });
});
