import { describe, expect, it } from "vitest";
import { loadCases } from "../../../../src/contract/chat/cases.js";
import { compareWithCase, statusDeviation } from "../../../../src/verify/chat/judge/compare-with-case.js";
import { createMask } from "../../../../src/verify/mask.js";
import { exampleCase } from "../example-case.js";

const json = "application/json";
const answer = (status: number, body: unknown, contentType: string | undefined = json) => ({
  status,
  contentType,
  text: typeof body === "string" ? body : JSON.stringify(body),
});
const left = { result: "success", msg: "", removed: ["social"], not_removed: [] };
const badRequest = { result: "error", msg: "No", code: "BAD_REQUEST" };
const refused = exampleCase({
  exact: ["/stream"],
  response: {
    status: 400,
    mediaType: json,
    body: { result: "error", msg: "Channel 'moon' does not exist", code: "STREAM_DOES_NOT_EXIST", stream: "moon" },
  },
});
const open = exampleCase({
  open: "Not shown.",
  exact: [],
  response: { status: 400, mediaType: json, body: badRequest },
});

const recommended = { ...refused, recommendedBy: "errors.status" };

describe("statusDeviation", () => {
  it.each([
    ["the recommended status", recommended, 400, undefined],
    ["another refusal", recommended, 404, "status: recommended is 400, got 404"],
    ["success", recommended, 200, undefined],
    ["a refusal with a status from 500", recommended, 503, "status: recommended is 400, got 503"],
    ["a status other than a stated one", refused, 404, undefined],
  ])("describes %s", (_, one, status, want) => {
    expect(statusDeviation(one, { status })).toBe(want);
  });
});

describe("compareWithCase", () => {
  it("accepts the response that each case of the contract expects", async () => {
    for (const one of await loadCases()) {
      const { status, mediaType, body } = one.response;
      expect([one.name, compareWithCase(one, answer(status, body, mediaType))]).toEqual([one.name, []]);
    }
  });

  it.each([
    ["further fields", exampleCase(), answer(200, { ...left, more: [1] })],
    ["parameters of the media type", exampleCase(), answer(200, left, `${json}; charset=utf-8`)],
    ["another msg", refused, answer(400, { ...(refused.response.body as object), msg: "Gone" })],
    ["a status other than the recommended one", recommended, answer(404, refused.response.body)],
    ["a documented code for an open error, at an undocumented status", open, answer(404, badRequest)],
    ["another documented code for an open error", open, answer(400, { ...badRequest, code: "UNAUTHORIZED" })],
    ["another status and code for an open error", open, answer(403, { ...badRequest, code: "MY_CODE" })],
  ])("accepts %s", (_, one, actual) => {
    expect(compareWithCase(one, actual)).toEqual([]);
  });

  it.each([
    [
      "status",
      exampleCase(),
      answer(400, badRequest),
      ['status: expected 200, got 400 with {"result":"error","msg":"No","code":"BAD_REQUEST"}'],
    ],
    [
      "code, whatever the status",
      recommended,
      answer(422, badRequest),
      ['/code: expected "STREAM_DOES_NOT_EXIST", got "BAD_REQUEST"', '/stream: expected "moon", got nothing'],
    ],
    [
      "success in place of a refusal with a recommended status",
      recommended,
      answer(200, left),
      ['status: expected 400, got 200 with {"result":"success","msg":"","removed":["social"],"not_removed":[]}'],
    ],
    [
      "code",
      refused,
      answer(400, badRequest),
      ['/code: expected "STREAM_DOES_NOT_EXIST", got "BAD_REQUEST"', '/stream: expected "moon", got nothing'],
    ],
    [
      "content type",
      exampleCase(),
      answer(200, left, "text/html"),
      [`content type: expected ${json}, got "text/html"`],
    ],
    [
      "(missing) content type",
      exampleCase(),
      { ...answer(200, left), contentType: undefined },
      [`content type: expected ${json}, got nothing`],
    ],
    ["body that is not JSON", exampleCase(), answer(200, "<p>"), ['body: expected JSON, got "<p>"']],
    ["body that is not an object", exampleCase({ exact: [] }), answer(200, []), ["body: must be object"]],
    [
      "missing field",
      exampleCase({ exact: [] }),
      answer(200, { ...left, removed: undefined }),
      ["body: must have required property 'removed'"],
    ],
    [
      "field of another type",
      exampleCase({ exact: [] }),
      answer(200, { ...left, removed: [1] }),
      ["/removed/0: must be string"],
    ],
    [
      "result that contradicts the status",
      exampleCase(),
      answer(200, { ...left, result: "error" }),
      ['/result: must be equal to constant "success"'],
    ],
    [
      "missing field of the variant of its code",
      refused,
      answer(400, { ...badRequest, code: "STREAM_DOES_NOT_EXIST" }),
      ["body: must have required property 'stream'", '/stream: expected "moon", got nothing'],
    ],
    [
      "exact value",
      exampleCase(),
      answer(200, { ...left, removed: [], not_removed: ["social"] }),
      ['/removed: expected ["social"], got []', '/not_removed: expected [], got ["social"]'],
    ],
    [
      "field in an exact object",
      exampleCase({
        operationId: "getUserStatus",
        exact: ["/status"],
        response: { status: 200, mediaType: json, body: { result: "success", msg: "", status: {} } },
      }),
      answer(200, { result: "success", msg: "", status: { away: true } }),
      ['/status: expected {}, got {"away":true}'],
    ],
    [
      "success for an open error",
      open,
      answer(200, left),
      [`status: expected an error in the envelope, got 200 with ${JSON.stringify(left)}`],
    ],
    [
      "server failure for an open error",
      open,
      answer(500, left),
      [`status: expected an error in the envelope, got 500 with ${JSON.stringify(left)}`],
    ],
    ["envelope for an open error", open, answer(400, { msg: "No" }), ["body: must have required property 'result'"]],
    [
      "code that belongs to another operation",
      exampleCase({ exact: [], response: { status: 400, mediaType: json, body: badRequest } }),
      answer(400, { ...badRequest, code: "PUSH_SERVICE_NOT_CONFIGURED" }),
      ['/code: expected "BAD_REQUEST", got "PUSH_SERVICE_NOT_CONFIGURED"'],
    ],
    [
      "documented code without its fields for an open error",
      open,
      answer(400, { ...badRequest, code: "CANNOT_DEACTIVATE_LAST_USER" }),
      ["body: must have the fields of its code"],
    ],
    [
      "unknown operation",
      exampleCase({ operationId: "fly" }),
      answer(200, left),
      ["body: the contract has no schema for fly and status 200"],
    ],
  ])("reports a wrong %s", (_, one, actual, want) => {
    expect(compareWithCase(one, actual)).toEqual(want);
  });

  it.each([
    ["array", "["],
    ["object", '{"a":'],
  ])("reports a response that is nested too deeply to serialize: %s", (_, opening) => {
    const text = opening.repeat(200_000) + 1 + (opening === "[" ? "]" : "}").repeat(200_000);
    expect(compareWithCase(exampleCase({ exact: [] }), answer(200, text))).not.toEqual([]);
    expect(compareWithCase(exampleCase(), answer(404, text))).toEqual([expect.stringMatching(/^status: .*got 404/)]);
  });

  it("shows no part of a key that a quote cuts off", () => {
    const key = "gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv";
    for (let before = 200; before < 310; before++) {
      const body = { ...badRequest, msg: `${"-".repeat(before)}${key}${"-".repeat(100)}` };
      const [problem = ""] = compareWithCase(exampleCase(), answer(400, body), undefined, createMask([key]));
      expect(problem).toContain("----");
      expect(problem).not.toContain(key.slice(0, 4));
    }
  });

  it("truncates long responses", () => {
    expect(compareWithCase(exampleCase(), answer(200, "x".repeat(9000)))[0]?.length).toBeLessThan(350);
  });
});
