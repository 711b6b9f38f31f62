import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRequest } from "../../../src/chat/codec/decode-request.js";
import { type EncodedRequest, encodeRequest } from "../../../src/chat/codec/encode-request.js";
import type { Operation } from "../../../src/chat/operation.js";
import { createRouter } from "../../../src/server/rest/match-route.js";

const edit: Operation = {
  feature: "things.edit",
  method: "PATCH",
  path: "/things/{thing_id}",
  body: "form",
  parameters: { thing_id: "integer", name: "string", loud: "boolean", count: "integer", tags: "json" },
};
const find: Operation = {
  feature: "things.find",
  method: "GET",
  path: "/things/{name}/near",
  parameters: { name: "string", anchor: "integer-or-text", narrow: "json", limit: "integer", text: "string" },
};
const view: Operation = {
  feature: "views.remove",
  method: "DELETE",
  path: "/views/{fragment}",
  parameters: { fragment: "segments" },
};
const upload: Operation = {
  feature: "files.create",
  method: "POST",
  path: "/files",
  body: "multipart",
  parameters: { file: "file", note: "string" },
};
const route = createRouter({ edit, find, view, upload });

/** Passes an encoded request through the text forms that a server receives. */
function receive(encoded: EncodedRequest) {
  const match = route(encoded.method, encoded.path);
  if (match.kind !== "found") throw new Error(`no route for ${encoded.method} ${encoded.path}`);
  const body = encoded.body instanceof URLSearchParams ? new URLSearchParams(encoded.body.toString()) : [];
  const decoded = decodeRequest(match.operation, { path: match.path, query: new URLSearchParams(encoded.query), body });
  return { operationId: match.operationId, ...decoded };
}

/** Text that UTF-8 can encode, so without lone surrogates. */
const text = fc.string({ unit: "grapheme" });
const pathText = text.filter((value) => value !== "" && value !== "." && value !== "..");
const json = fc
  .oneof(fc.array(fc.jsonValue()), fc.dictionary(text, fc.jsonValue()))
  .map((value) => JSON.parse(JSON.stringify(value)));
const integer = fc.maxSafeInteger().map((value) => value + 0);

describe("encodeRequest with decodeRequest", () => {
  it("round-trips forms", () => {
    const values = fc.record(
      { thing_id: integer, name: text, loud: fc.boolean(), count: integer, tags: json },
      { requiredKeys: ["thing_id"] },
    );
    fc.assert(
      fc.property(values, (given) => {
        const { operationId, values, malformed, ignored } = receive(encodeRequest(edit, given));
        expect({ operationId, values, malformed, ignored }).toEqual({
          operationId: "edit",
          values: given,
          malformed: [],
          ignored: [],
        });
      }),
    );
  });

  it("round-trips queries and path values", () => {
    const values = fc.record(
      { name: pathText, anchor: fc.oneof(integer, fc.constant("newest")), narrow: json, limit: integer, text },
      { requiredKeys: ["name"] },
    );
    fc.assert(
      fc.property(values, (given) => {
        expect(receive(encodeRequest(find, given)).values).toEqual(given);
      }),
    );
  });

  it("keeps slashes in a value that may contain them, encoded or not", () => {
    expect(receive(encodeRequest(view, { fragment: "narrow/is/starred" }))).toMatchObject({
      values: { fragment: "narrow/is/starred" },
    });
    expect(route("DELETE", "/views/narrow/is%2Fstarred")).toMatchObject({ path: { fragment: "narrow/is/starred" } });
  });

  it("writes JSON text for arrays and objects, and plus signs for spaces", () => {
    const { path, body, query } = encodeRequest(edit, { thing_id: 7, name: "a b+c", tags: ["x", 1], loud: false });
    expect(path).toBe("/things/7");
    expect(query).toBe("");
    expect(body?.toString()).toBe("name=a+b%2Bc&tags=%5B%22x%22%2C1%5D&loud=false");
  });

  it("writes integers above 2^53 in full when given as bigint", () => {
    expect(encodeRequest(edit, { thing_id: 9007199254740993n }).path).toBe("/things/9007199254740993");
  });

  it("does not interpret a value as a replacement pattern", () => {
    expect(encodeRequest(find, { name: "$&$1" }).path).toBe("/things/%24%26%241/near");
  });

  it("omits undefined values, and the body if nothing is left", () => {
    expect(encodeRequest(edit, { thing_id: 7, name: undefined })).toEqual({
      method: "PATCH",
      path: "/things/7",
      query: "",
    });
  });

  it("rejects a missing path value", () => {
    expect(() => encodeRequest(edit, { name: "x" })).toThrow("PATCH /things/{thing_id} needs a value for thing_id");
  });
});

describe("decodeRequest", () => {
  const decode = (query: string, body: string, path: Record<string, string> = { thing_id: "1" }) =>
    decodeRequest(edit, { path, query: new URLSearchParams(query), body: new URLSearchParams(body) });

  it("prefers the body over the query, and the last of a repeated name", () => {
    expect(decode("name=query&count=1&count=2", "name=first&name=last").values).toEqual({
      thing_id: 1,
      name: "last",
      count: 2,
    });
  });

  it("lists unknown parameters, sorted, including path parameters repeated in the body", () => {
    expect(decode("zebra=1", "thing_id=9&ant=2")).toEqual({
      values: { thing_id: 1 },
      malformed: [],
      ignored: ["ant", "thing_id", "zebra"],
    });
  });

  it("names malformed values in the order of the operation", () => {
    expect(decode("", "tags=nope&count=1.5").malformed).toEqual([
      { name: "count", expected: "an integer" },
      { name: "tags", expected: "JSON text" },
    ]);
  });

  it("accepts the file of an upload under any part name", () => {
    const blob = new Blob(["x"]);
    expect(decodeRequest(upload, { path: {}, query: [], body: [], files: [["any", blob]] }).values).toEqual({
      file: blob,
    });
  });
});

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
