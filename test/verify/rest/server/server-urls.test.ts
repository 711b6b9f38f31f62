import { describe, expect, it } from "vitest";
import { CouldNotRunError } from "../../../../src/base/could-not-run-error.js";
import { apiUrl } from "../../../../src/http/api-url.js";
import { hintAtPath } from "../../../../src/verify/rest/server/server-urls.js";
import type { Presence } from "../../../../src/verify/run/presence.js";
import { statesEndpoint } from "../../../../src/verify/states/states-endpoint.js";

const chat = { name: "chat", path: "/api/v1" };

describe("apiUrl", () => {
  it.each([
    ["http://127.0.0.1:4011/api/v1", "http://127.0.0.1:4011/api/v1"],
    ["http://127.0.0.1:4011/api/v1/", "http://127.0.0.1:4011/api/v1"],
    ["https://chat.example/team/api/v1", "https://chat.example/team/api/v1"],
    ["http://[::1]:4011/api/v1", "http://[::1]:4011/api/v1"],
    ["http://127.0.0.1:4011/", "http://127.0.0.1:4011"],
    ["http://127.0.0.1:4011/other/v2/", "http://127.0.0.1:4011/other/v2"],
  ])("reads %s as %s", (url, want) => {
    expect(apiUrl(url, chat)).toBe(want);
  });

  it.each([
    "",
    "127.0.0.1:4011/api/v1",
    "ftp://chat.example/api/v1",
    "http://me:s3cret@chat.example/api/v1",
    "http://chat.example/api/v1?key=s3cret",
    "http://chat.example/api/v1#s3cret",
  ])("rejects %j without quoting it", (url) => {
    expect(() => apiUrl(url, chat)).toThrow(CouldNotRunError);
    expect(() => apiUrl(url, chat)).not.toThrow(/s3cret/);
  });
});

describe("the example in an error of apiUrl", () => {
  it.each([
    ["the first absolute server", ["/v1", "https://museum.example/v1"], "such as https://museum.example/v1"],
    ["no server with another path", ["/v1", "https://museum.example/v2"], "such as https://server.example/v1"],
    ["no template", ["https://{host}/v1"], "such as https://server.example/v1"],
    ["a neutral URL without servers", [], "such as https://server.example/v1"],
  ])("is %s", (_, urls, want) => {
    const servers = urls.map((url) => ({ url }));
    expect(() => apiUrl("museum", { name: "museum", path: "/v1", servers })).toThrow(want);
  });
});

describe("hintAtPath", () => {
  const lacking = { kind: "not-implemented", why: "status 404" } as const;
  it.each([
    [
      "http://127.0.0.1:1",
      "status 404; the document's servers have the path /v1, so the API may be at http://127.0.0.1:1/v1",
    ],
    ["http://127.0.0.1:1/v1", "status 404"],
  ])("says where an API may be that is not at %s", (url, why) => {
    expect(hintAtPath(new Map([["a", lacking]]), url, "/v1")).toEqual(new Map([["a", { ...lacking, why }]]));
  });

  it("says nothing if the server has an operation", () => {
    const presence = new Map<string, Presence>([
      ["a", lacking],
      ["b", { kind: "there" }],
    ]);
    expect(hintAtPath(presence, "http://127.0.0.1:1", "/v1")).toBe(presence);
  });
});

describe("statesEndpoint", () => {
  it.each([
    ["http://127.0.0.1:4011", "http://127.0.0.1:4011/states"],
    ["http://127.0.0.1:4011/states/", "http://127.0.0.1:4011/states"],
    ["https://chat.example/for/tests", "https://chat.example/for/tests/states"],
    ["http://[::1]:4011/states", "http://[::1]:4011/states"],
  ])("turns %s into %s", (url, want) => {
    expect(statesEndpoint(url)).toBe(want);
  });

  it.each([
    ...["", "notaurl", "localhost:4011", "ftp://127.0.0.1", "file:///etc"],
    ...["http://me:s3cret@127.0.0.1/states", "http://127.0.0.1/states?key=s3cret", "http://127.0.0.1/#s3cret"],
  ])("rejects %j without quoting it", (url) => {
    expect(() => statesEndpoint(url)).toThrow(CouldNotRunError);
    expect(() => statesEndpoint(url)).not.toThrow(/s3cret/);
  });
});
