import { describe, expect, it } from "vitest";
import type { WireRequest } from "../../../../src/verify/chat/probes/wire-request.js";
import { readyRequest } from "../../../../src/verify/chat/probes/wire-request.js";

describe("readyRequest", () => {
  const wire: WireRequest = {
    method: "POST",
    template: "/a/{x}/b",
    path: { x: "c/d e" },
    query: [["q", "ä&="]],
    headers: [["Tus-Resumable", "1.0.0"]],
    body: [
      ["n", "1"],
      ["n", "a b"],
    ],
    bodyAs: { kind: "form" },
    authorization: "Basic eDp5",
  };
  const form = "application/x-www-form-urlencoded";

  it.each<[string, Partial<WireRequest>, object]>([
    [
      "a form",
      {},
      {
        method: "POST",
        url: "http://h/api/v1/a/c%2Fd%20e/b?q=%C3%A4%26%3D",
        headers: { "Tus-Resumable": "1.0.0", Authorization: "Basic eDp5", "Content-Type": form },
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
      { bodyAs: { kind: "raw", type: "x/y", text: "{}" } },
      { headers: { "Content-Type": "x/y" }, body: "{}" },
    ],
    ["parts", { bodyAs: { kind: "multipart" } }, { body: wire.body }],
    ["parts, but none", { bodyAs: { kind: "multipart" }, body: [] }, { body: [] }],
  ])("makes %s", (_, change, want) => {
    expect(readyRequest({ ...wire, ...change }, "http://h/")).toMatchObject(want);
  });

  it("gives a GET no body, and no type without one", () => {
    expect(readyRequest({ ...wire, method: "GET" }, "http://h").body).toBeUndefined();
    const { body, headers } = readyRequest({ ...wire, body: [] }, "http://h");
    expect([body, headers["Content-Type"]]).toEqual([undefined, undefined]);
  });
});
