import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../generated/chat/request-levels.js";
import { chatContract } from "../../../src/chat/contract.js";
import { judgeExchange } from "../../../src/chat/traffic.js";
import { createTrafficJudge } from "../../../src/traffic/judge/create-traffic-judge.js";
import { atLevel, createRestTraffic } from "../../../src/traffic/rest/rest-traffic.js";
import { edited, messages, namesOf, type PlantedRequest, problemsOf, range } from "./exchange-findings.js";
import { errorAnswer, recordedExchange } from "./recorded-exchange.js";
import { requestMistakes } from "./request-mistakes.js";
import { valueMistakes } from "./value-mistakes.js";

const chat = await chatContract();

/** Mistakes in paths, methods, and the names and places of parameters. */
const mistakes: readonly PlantedRequest[] = [
  [
    "a misspelt path",
    { call: "GET /mesages", status: 404, answer: errorAnswer() },
    "must request.operation GET /mesages",
    /nearest is GET \/messages/,
  ],
  [
    "another method",
    { call: "PUT /messages/5", status: 405, answer: errorAnswer() },
    "must request.operation PUT /messages/5",
    /has PATCH/,
  ],
  [
    "a missing prefix",
    { call: "GET //messages", status: 404, answer: errorAnswer() },
    "must request.operation GET /messages",
    /begin with \/api\/v1/,
  ],
  [
    "another prefix",
    { call: "GET //json/messages", status: 404, answer: errorAnswer() },
    "must request.operation GET /json/messages",
    /outside the API/,
  ],
  [
    "a trailing slash",
    { call: "GET /messages/", status: 404, answer: errorAnswer() },
    "must request.operation GET /messages/",
    /GET \/messages/,
  ],
  [
    "a fragment that is not percent-encoded",
    { call: "DELETE /navigation_views/#narrow/is/starred", status: 404, answer: errorAnswer() },
    "should request.encoding #",
    /written as %23/,
  ],
  [
    "a query in Latin-1",
    { call: `GET /messages?${range}&anchor=newest&narrow=%5B%5B%22topic%22,%22caf%E9%22%5D%5D`, answer: messages },
    "should request.encoding UTF-8",
    /not in UTF-8/,
  ],
  [
    "an object in place of its text",
    { call: "PATCH /messages/5", form: { content: "[object Object]" }, answer: edited },
    "should request.plain-text content",
    /JavaScript/,
  ],
  [
    "a misspelt parameter",
    { call: "PATCH /messages/5", form: { tpic: "x" }, answer: edited },
    "must request.name tpic",
    /did you mean topic/,
  ],
  [
    "camel case",
    { call: "PATCH /messages/5", form: { streamId: "9" }, answer: edited },
    "must request.name streamId",
    /stream_id/,
  ],
  [
    "another case of letters",
    { call: "POST /messages/5/typing", form: { Op: "start" }, status: 400, answer: errorAnswer() },
    "must request.name Op",
    /did you mean op/,
  ],
  [
    "an unknown parameter",
    { call: "PATCH /messages/5", form: { colour: "red" }, answer: edited },
    "should request.unsupported colour",
    /ignores it/,
  ],
  [
    "a missing parameter",
    { call: "POST /messages/5/typing", status: 400, answer: errorAnswer() },
    "must request.required op",
    /op is missing/,
  ],
  [
    "a body parameter in the query",
    { call: "PATCH /messages/5?topic=x", answer: edited },
    "must request.place topic",
    /is in the query string; it belongs in the body of PATCH/,
  ],
  [
    "a query parameter in the body",
    { call: `GET /messages?${range}`, form: { anchor: "newest" }, answer: messages },
    "must request.place anchor",
    /it belongs in the query string of GET/,
  ],
  [
    "a path parameter in the body",
    { call: "PATCH /messages/5", form: { message_id: "5", topic: "x" }, answer: edited },
    "must request.place message_id",
    /belongs in the path/,
  ],
  [
    "an operation with another plural",
    { call: "DELETE /attachment/5", status: 404, answer: errorAnswer() },
    "must request.operation DELETE /attachment/5",
    /DELETE \/attachments\/\{attachment_id\}/,
  ],
];

describe("judgeExchange", () => {
  it.each([...mistakes, ...valueMistakes, ...requestMistakes])(
    "names %s",
    async (_, sketch, finding, sentence, level) => {
      const found = (await judgeExchange(recordedExchange(sketch), { level: level ?? newestLevel })).findings;
      const named = found.find(({ rule, subject, strength }) => `${strength} ${rule} ${subject}` === finding);

      expect(found.map(({ rule, subject, strength }) => `${strength} ${rule} ${subject}`)).toContain(finding);
      expect(named?.problem).toMatch(sentence);
      expect(JSON.stringify(found)).not.toMatch(/sesame/);
    },
  );
});

describe("createTrafficJudge", () => {
  it("counts refusals that no finding explains, with the first message", async () => {
    const judge = createTrafficJudge(
      createRestTraffic(chat, atLevel(chat, newestLevel), "http://127.0.0.1:4011/api/v1"),
    );
    const refused = { status: 400, answer: errorAnswer() };
    await judge.observe(recordedExchange({ call: "PATCH /messages/5", form: { topic: "castle" }, ...refused }));
    await judge.observe(recordedExchange({ call: "PATCH /messages/6", form: { topic: "castle" }, ...refused }));
    await judge.observe(recordedExchange({ call: "PATCH /messages/7", form: { tpic: "castle" }, ...refused }));
    await judge.observe({
      ...recordedExchange({ call: "POST /users/me/muted_users/9", ...refused }),
      provoked: ["case muteUser/own_user"],
    });
    expect(judge.report().coverage?.refusals).toEqual([
      { operation: "editMessage", count: 2, first: "400 BAD_REQUEST No." },
    ]);
  });
});

describe("judgeExchange with a wrong response", () => {
  it("judges it by the contract, and masks what it quotes", async () => {
    const call = "DELETE /users/me";
    expect(await problemsOf({ call, answer: { result: "success", api_key: "sesame-1" } })).toEqual([
      "200: body: must have required property 'msg'",
    ]);
    expect(await problemsOf({ call, status: 500, answer: { api_key: "sesame-1" } })).toEqual([
      '500: status: the server failed with 500 with {"api_key":"***"}',
    ]);
  });
});

describe("judgeExchange under attack", () => {
  it("judges a query of many unknown names in bounded time, with a bounded number of findings", async () => {
    const query = new URLSearchParams(Array.from({ length: 12_000 }, (_, index) => [`n${index}`, "1"])).toString();
    expect((await namesOf({ call: `GET /messages?${query}` })).length).toBeLessThan(40);
  });

  it("judges a form of 170,000 names without failing", async () => {
    const form = new URLSearchParams(Array.from({ length: 170_000 }, (_, index) => [`n${index}`, ""])).toString();
    const judge = createTrafficJudge(
      createRestTraffic(chat, atLevel(chat, newestLevel), "http://127.0.0.1:4011/api/v1"),
    );
    await judge.observe(recordedExchange({ call: "PATCH /messages/5", form, answer: edited }));
    expect(judge.report()).toMatchObject({ contract: "chat" });
  });

  it("shows no key that is a part of a path or a name of a parameter", async () => {
    const findings = [
      ...(await namesOf({ call: "GET /bots/sesame-key-0123/messages", status: 404, answer: errorAnswer() })),
      ...(await namesOf({ call: "PATCH /messages/5", form: { "sesame-key-0123": "x" }, answer: edited })),
    ];
    expect(findings.filter((name) => name.includes(" request."))).toHaveLength(2);
    expect(findings.join()).not.toContain("sesame-key-0123");
  });
});
