import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { CallStep } from "../../../src/contract/check.js";
import type { Answer } from "../rest/example-server.js";
import { startStubChat, stubKeys } from "../rest/stub-chat.js";
import { call, check, given, runOn } from "./run-on.js";

const success = { result: "success", msg: "", status: {} };
const refusal = { result: "error", msg: "No", code: "BAD_REQUEST" };
const text = JSON.stringify;
const mute = { call: "updateMutedTopic", with: { topic: "x", op: "add", stream_id: 9 } };
const refused = { ...mute, expect: [{ status: 400, body: { "/code": "BAD_REQUEST" } }] };
const recommended = { ...refused, expect: [{ ...refused.expect[0], recommendedBy: "should" }] };
const anyRefusal: Partial<CallStep> = { ...mute, expect: [{ status: "4XX" }] };
const unlisted: Partial<CallStep> = { expect: [{ status: { any: [{ below: 500 }, 501] }, open: "any" }] };
const deep = `{"result":"success","msg":"","status":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;

/** Responses with what a check reports about them: its problems, or nothing. */
const rows: readonly (readonly [what: string, step: Partial<CallStep>, answer: Answer, problems: string[]])[] = [
  ["the right response", {}, { body: success }, []],
  ["further fields", {}, { body: { ...success, more: [1], status: { more: 1 } } }, []],
  ["parameters of the media type", {}, { body: success, type: "application/json; charset=utf-8" }, []],
  ["any status of any refusal", anyRefusal, { status: 403, body: { ...refusal, code: "MY_CODE" } }, []],
  ["a status from 500 with an error in the envelope", anyRefusal, { status: 503, body: refusal }, []],
  ["another status", {}, { status: 400, body: refusal }, [`status: expected 200, got 400 with ${text(refusal)}`]],
  ["success", refused, { body: success }, [`status: expected 400, got 200 with ${text(success)}`]],
  [
    "success instead of any refusal",
    anyRefusal,
    { body: success },
    [`status: expected an error of the API, got 200 with ${text(success)}`],
  ],
  [
    "a failure of the server",
    anyRefusal,
    { status: 500, body: "oops", type: "text/plain" },
    ['status: expected an error of the API, got 500 with "oops"', 'status: the server failed with 500 with "oops"'],
  ],
  [
    "success instead of a refusal with a recommended status",
    recommended,
    { body: { result: "success", msg: "" } },
    ['status: expected 400, got 200 with {"result":"success","msg":""}'],
  ],
  [
    "another code, whatever the status",
    recommended,
    { status: 422, body: { ...refusal, code: "MY_CODE" } },
    ['/code: expected "BAD_REQUEST", got "MY_CODE"'],
  ],
  [
    "another value",
    { expect: [{ status: 200, body: { "/status": { equals: {} } } }] },
    { body: { ...success, status: { away: true } } },
    ['/status: expected {}, got {"away":true}'],
  ],
  [
    "a missing value",
    { expect: [{ status: 200, body: { "/status/away": true } }] },
    { body: success },
    ["/status/away: expected true, got nothing"],
  ],
  [
    "a missing header",
    { expect: [{ status: 200, headers: { "X-Page": "1" } }] },
    { body: success },
    ['header X-Page: expected "1", got nothing'],
  ],
  [
    "other bytes",
    { expect: [{ status: 200, bytes: "every-byte" }] },
    { body: success },
    [`body: expected 256 other bytes, got ${text(success).length}`],
  ],
  [
    "another content type",
    {},
    { body: success, type: "text/html" },
    ['content type: expected application/json, got "text/html"'],
  ],
  ["no JSON", {}, { body: "<p>" }, ['body: expected JSON, got "<p>"']],
  ["an array", {}, { body: [] }, ["body: must be object"]],
  ["a missing field", {}, { body: { ...success, status: undefined } }, ["body: must have required property 'status'"]],
  ["another type", {}, { body: { ...success, status: { away: 1 } } }, ["/status/away: must be boolean"]],
  [
    "a result that contradicts the status",
    {},
    { body: { ...success, result: "error" } },
    ['/result: must be equal to constant "success"'],
  ],
  [
    "a redirect",
    {},
    { status: 307, headers: { Location: "/there" }, body: success },
    ["the server redirects to another path of itself with status 307, and a redirect is not followed"],
  ],
  [
    "a wrong content coding",
    {},
    { headers: { "Content-Encoding": "gzip" }, body: text(success) },
    ["the answer is not compressed as its header Content-Encoding says: incorrect header check"],
  ],
  [
    "more than can be read, once it is decompressed",
    {},
    { headers: { "Content-Encoding": "gzip" }, body: gzipSync(Buffer.alloc(100 * 1024 * 1024)) },
    ["the answer is larger than 4 MiB"],
  ],
  ["deep nesting", {}, { body: deep }, ["the answer is nested too deeply to read"]],
  ["any success", { expect: [{ status: "2XX" }] }, { body: success }, []],
  [
    "an undocumented success",
    { expect: [{ status: "2XX" }] },
    { status: 202, body: success },
    [`status: getUserStatus does not document 202 with ${text(success)}`],
  ],
  [
    "a refusal instead of any success",
    { expect: [{ status: "2XX" }] },
    { status: 400, body: refusal },
    [`status: expected success, got 400 with ${text(refusal)}`],
  ],
  ["a status that is left open", { expect: [{ status: "4XX", open: [404] }] }, { status: 404, body: "<p>" }, []],
  [
    "a status that is not left open",
    { expect: [{ status: "4XX", open: [404] }] },
    { status: 405, body: "<p>" },
    ['body: expected JSON, got "<p>"'],
  ],
  ["anything that is no failure", unlisted, { status: 200, body: "whatever" }, []],
  ["501 to a request that the contract does not list", unlisted, { status: 501, body: "" }, []],
  [
    "a failure of a request that the contract does not list",
    unlisted,
    { status: 500, body: "" },
    ['status: expected a number below 500 or 501, got 500 with ""'],
  ],
  [
    "a text that it must not have",
    { expect: [{ status: 200, hides: ["secret", "$given.stream_id"] }] },
    { body: { ...success, more: "a secret" } },
    ["body: it shows data that it must hide"],
  ],
  [
    "a text that it must not have, which the request has",
    { with: { user_id: 7, name: "a secret" }, expect: [{ status: 200, hides: ["secret"] }] },
    { body: { ...success, more: "a secret" } },
    [],
  ],
];

describe("a response of a call", () => {
  it.each(rows)("%s", async (_, step, answer, problems) => {
    const server = await startStubChat(() => answer);
    const { outcome, isAnswered } = await runOn(server, check([given, call(step)]));
    expect(isAnswered).toBe(true);
    expect(outcome).toMatchObject(problems.length === 0 ? { kind: "passed" } : { kind: "failed", problems });
  });

  it.each<[string, Partial<CallStep>, Answer, object]>([
    ["accepts what it must refuse", refused, { body: { result: "success", msg: "" } }, { letThrough: true }],
    ["looks past wrong credentials", { expect: [{ status: 401 }] }, { status: 400, body: refusal }, {}],
    ["breaks its schema", {}, { body: { result: "success" } }, { forbidden: true, broken: [] }],
    [
      "breaks its schema in a part that the step expects",
      { expect: [{ status: 200, body: { "/status": { present: true } } }] },
      { body: { result: "success", msg: "", status: { away: 1 } } },
      { forbidden: true },
    ],
    ["redirects", {}, { status: 302, headers: { Location: "/x" }, body: "" }, { forbidden: true, broken: [] }],
  ])("tells that the server %s", async (_, step, answer, want) => {
    const server = await startStubChat(() => answer);
    const { outcome } = await runOn(server, check([given, call(step)]));
    expect(outcome).toEqual({
      kind: "failed",
      problems: expect.any(Array),
      broken: ["rule"],
      trace: expect.any(Array),
      ...want,
    });
  });

  it("deviates if only its status is not the recommended one", async () => {
    const server = await startStubChat(() => ({ status: 403, body: refusal }));
    const { outcome } = await runOn(server, check([given, call(recommended)], { rules: ["rule", "should"] }));
    expect(outcome).toMatchObject({
      kind: "failed",
      problems: ["status: recommended is 400, got 403"],
      broken: ["should"],
      shown: ["rule"],
    });
  });

  it("shows none of its rules if it lacks a value that they are about and that may be absent", async () => {
    const server = await startStubChat(() => ({ body: success }));
    const expectation = { status: 200, body: { "/status/away": { "if-present": true } } };
    const { outcome } = await runOn(server, check([given, call({ expect: [expectation] })]));
    expect(outcome).toEqual({ kind: "passed", shown: [], reason: "the answer has no /status/away" });
  });

  it("is quoted in part, without a part of a key", async () => {
    const [key = ""] = stubKeys;
    for (const before of [150, 240, 255, 265]) {
      const body = { ...refusal, msg: `${"-".repeat(before)}${key}${"-".repeat(5_000)}` };
      const server = await startStubChat(() => ({ status: 400, body }));
      const { outcome } = await runOn(server, check([given, call()]));
      const [problem = ""] = outcome.kind === "failed" ? outcome.problems : [];
      expect(problem).toMatch(/^status: expected 200, got 400 with .*----/);
      expect(problem).not.toContain(key.slice(0, 4));
      expect(problem.length).toBeLessThan(400);
    }
  });
});
