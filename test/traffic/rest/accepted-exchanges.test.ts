import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { caseRequest } from "../../../src/chat/cases/case-request.js";
import { loadContract } from "../../../src/chat/contract.js";
import { judgeExchange } from "../../../src/chat/traffic.js";
import { casesAtLevel } from "../../../src/contract/rest/level/cases-at-level.js";
import { edited, messages, namesOf, problemsOf, range, removed, success } from "./exchange-findings.js";
import { type ExchangeSketch, errorAnswer, recordedExchange } from "./recorded-exchange.js";

describe("judgeExchange without a mistake", () => {
  it.each<[string, ExchangeSketch, level?: number]>([
    ["a call to an operation that the contract lacks", { call: "POST /register", answer: success }],
    ["a refused call of such an operation", { call: "GET /events?queue_id=1", status: 400, answer: errorAnswer() }],
    ["a preflight", { call: "OPTIONS /messages/5", authorization: null, status: 204 }],
    ["a file outside the API", { call: "GET //user_uploads/1/x.png", status: 404 }],
    ["HEAD", { call: `HEAD /messages?anchor=1&${range}`, answer: "" }],
    ["a session cookie", { call: "DELETE /users/me", authorization: null, headers: { cookie: "session=sesame" } }],
    [
      "no credentials for the settings",
      { call: "GET /server_settings", authorization: null, answer: { ...success, service_feature_level: 415 } },
    ],
    [
      "a charset",
      {
        call: "PATCH /messages/5",
        form: { topic: "x" },
        type: "Application/X-WWW-Form-URLEncoded; charset=utf-8",
        answer: edited,
      },
    ],
    ["an empty form", { call: "PATCH /messages/5", type: "application/x-www-form-urlencoded", answer: edited }],
    ["an id above 2^53", { call: `GET /messages?anchor=10000000000000000&${range}`, answer: messages }],
    [
      "both kinds of principals",
      { call: "DELETE /users/me/subscriptions", form: { subscriptions: "[]", principals: "[1,2]" }, answer: removed },
    ],
    ["a narrow of arrays", { call: `GET /messages?anchor=1&${range}&narrow=[["channel","a"]]`, answer: messages }],
    ["text with quotation marks inside", { call: "PATCH /messages/5", form: { content: 'say "hi"' }, answer: edited }],
    [
      "a text that looks like JSON",
      { call: "PATCH /messages/5", form: { content: '{"a":1}', topic: "[x]" }, answer: edited },
    ],
    [
      "an upload with any part name",
      {
        call: "POST /user_uploads",
        body: '--x\r\nContent-Disposition: form-data; name="f"; filename="a.txt"\r\n\r\nfun\r\n--x--\r\n',
        type: "multipart/form-data; boundary=x",
        answer: { ...success, url: "/u/a.txt", uri: "/u/a.txt", filename: "a.txt" },
      },
    ],
    ["a path with encoded characters", { call: "PATCH /users/a%2Bb%40c.example", form: { full_name: "A" } }],
    ["a fragment with slashes", { call: "DELETE /navigation_views/narrow/is/starred" }],
    [
      "JSON text of a name where a level needs it",
      { call: "PATCH /users/a@b.example", form: { full_name: '"A"' } },
      100,
    ],
    [
      "a target with scheme and host",
      { call: `GET http://127.0.0.1:4015/api/v1/messages?anchor=1&${range}`, answer: messages },
    ],
    [
      "a later part of a resumable upload",
      { call: "PATCH /tus/abc", type: "application/offset+octet-stream", body: "x", status: 204 },
    ],
  ])("accepts %s", async (_, sketch, level) => {
    expect(await problemsOf(sketch, level)).toEqual([]);
  });

  it("accepts plain text from the level at which it replaces JSON text", async () => {
    const sketch = { call: "PATCH /users/a@b.example", form: { full_name: "Ann" } };
    expect(await namesOf(sketch, 105)).toEqual(["must request.type full_name"]);
    expect(await namesOf(sketch, 106)).toEqual([]);
  });

  it.each([0, 105, 300, newestLevel])("accepts the request of every successful case at level %i", async (level) => {
    const cases = casesAtLevel(await loadContract(), level).filter(({ response }) => response.status < 300);
    const problems = [];
    for (const one of cases) {
      const { method, url, headers, bytes } = await caseRequest(one, "/api/v1", {
        email: "a@b.example",
        api_key: "k",
      });
      const { findings } = await judgeExchange(
        {
          ...recordedExchange({ call: "GET /x" }),
          request: {
            method,
            target: url,
            headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
            body: bytes,
            bodyBytes: bytes.length,
          },
          response: {
            status: one.response.status,
            headers: { "content-type": one.response.mediaType ?? "", location: "/x", "tus-resumable": "1.0.0" },
            body: Buffer.from(one.response.body === undefined ? "" : JSON.stringify(one.response.body)),
            bodyBytes: 1,
          },
        },
        { level },
      );
      // Cases may show deprecated features and unsupported parameters, which are recommendations.
      problems.push(...findings.filter(({ strength }) => strength === "must").map((found) => [one.name, found]));
    }
    expect(cases.length).toBeGreaterThan(20);
    expect(problems).toEqual([]);
  });

  it.each<[string, ExchangeSketch]>([
    ["an operation that the requirements only mention", { call: "POST /register", status: 404, answer: errorAnswer() }],
    [
      "other credentials where none are needed",
      { call: "GET /server_settings", authorization: "Bearer x", status: 404 },
    ],
  ])("finds nothing about %s", async (_, sketch) => {
    expect((await namesOf(sketch)).filter((name) => name.includes(" request."))).toEqual([]);
  });
});
