import { describe, expect, it } from "vitest";
import { newestLevel } from "../../../../generated/chat/request-levels.js";
import { loadContract } from "../../../../src/contract/chat/contract-file.js";
import { casesAtLevel } from "../../../../src/contract/chat/level/cases-at-level.js";
import { caseRequest } from "../../../../src/verify/chat/exchange/case-request.js";
import { createTrafficJudge, judgeExchange } from "../../../../src/verify/chat/traffic/judge-traffic.js";
import { type ExchangeSketch, errorAnswer, recordedExchange } from "./recorded-exchange.js";

const success = { result: "success", msg: "" };
const removed = { ...success, removed: [], not_removed: [] };
const edited = { ...success, detached_uploads: [] };
const messages = { ...success, found_newest: true, found_oldest: true, found_anchor: false, messages: [], anchor: 1 };
const range = "num_before=5&num_after=0";

async function namesOf(sketch: ExchangeSketch, level = newestLevel): Promise<string[]> {
  const { findings } = await judgeExchange(recordedExchange(sketch), { level });
  return findings.map(({ rule, subject, strength }) => `${strength} ${rule} ${subject}`);
}

async function problemsOf(sketch: ExchangeSketch, level = newestLevel): Promise<string[]> {
  const { findings } = await judgeExchange(recordedExchange(sketch), { level });
  return findings.map(({ problem }) => problem);
}

/** Mistakes of clients: a name, the exchange, the finding, and a part of its sentence. */
const mistakes: [name: string, sketch: ExchangeSketch, finding: string, sentence: RegExp, level?: number][] = [
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
    /belong into the form body/,
  ],
  [
    "a query parameter in the body",
    { call: `GET /messages?${range}`, form: { anchor: "newest" }, answer: messages },
    "must request.place anchor",
    /belong into the query string/,
  ],
  [
    "a path parameter in the body",
    { call: "PATCH /messages/5", form: { message_id: "5", topic: "x" }, answer: edited },
    "must request.place message_id",
    /belongs into the path/,
  ],
  [
    "a fraction",
    { call: "POST /default_streams", form: { stream_id: "9.5" }, status: 400, answer: errorAnswer() },
    "must request.type stream_id",
    /must be an integer/,
  ],
  [
    "a quoted integer",
    { call: "POST /default_streams", form: { stream_id: '"9"' }, status: 400, answer: errorAnswer() },
    "must request.type stream_id",
    /without quotation marks/,
  ],
  [
    "an empty integer",
    { call: "POST /default_streams", form: { stream_id: "" }, status: 400, answer: errorAnswer() },
    "must request.type stream_id",
    /must be an integer/,
  ],
  [
    "the text null",
    { call: "POST /reminders", form: { message_id: "null" }, status: 400, answer: errorAnswer() },
    "must request.type message_id",
    /must be omitted/,
  ],
  [
    "a boolean of Python",
    { call: `GET /messages?anchor=1&${range}&apply_markdown=False`, status: 400, answer: errorAnswer() },
    "must request.type apply_markdown",
    /Python/,
  ],
  [
    "a boolean as a number",
    { call: `GET /messages?anchor=1&${range}&apply_markdown=0`, status: 400, answer: errorAnswer() },
    "must request.type apply_markdown",
    /true or false/,
  ],
  [
    "a list with commas",
    { call: "DELETE /users/me/subscriptions", form: { subscriptions: "a,b" }, status: 400, answer: errorAnswer() },
    "must request.type subscriptions",
    /not separated by commas/,
  ],
  [
    "a bare text for a list",
    { call: "DELETE /users/me/subscriptions", form: { subscriptions: "Verona" }, status: 400, answer: errorAnswer() },
    "must request.type subscriptions",
    /must be JSON text/,
  ],
  [
    "a list of Python",
    { call: "DELETE /users/me/subscriptions", form: { subscriptions: "['a']" }, status: 400, answer: errorAnswer() },
    "must request.type subscriptions",
    /double quotation marks/,
  ],
  [
    "a list that is encoded twice",
    {
      call: "DELETE /users/me/subscriptions",
      form: { subscriptions: '"[\\"a\\"]"' },
      status: 400,
      answer: errorAnswer(),
    },
    "must request.type subscriptions",
    /encoded twice/,
  ],
  [
    "a list with brackets in its name",
    {
      call: "DELETE /users/me/subscriptions",
      form: "subscriptions[]=a&subscriptions[]=b",
      status: 400,
      answer: errorAnswer(),
    },
    "must request.type subscriptions",
    /send subscriptions once, as JSON text/,
  ],
  [
    "a list as repeated fields",
    {
      call: "DELETE /users/me/subscriptions",
      form: "subscriptions=a&subscriptions=b",
      status: 400,
      answer: errorAnswer(),
    },
    "should request.repeated subscriptions",
    /more than once/,
  ],
  [
    "an object where a list belongs",
    { call: "DELETE /users/me/subscriptions", form: { subscriptions: '{"a":1}' }, status: 400, answer: errorAnswer() },
    "must request.type subscriptions",
    /must be array/,
  ],
  [
    "numbers where texts belong",
    { call: "DELETE /users/me/subscriptions", form: { subscriptions: "[1]" }, status: 400, answer: errorAnswer() },
    "must request.value subscriptions",
    /at 0/,
  ],
  [
    "a wrong word",
    { call: "POST /messages/5/typing", form: { op: "begin" }, status: 400, answer: errorAnswer() },
    "must request.value op",
    /allowed values/,
  ],
  [
    "a quoted word",
    { call: "POST /messages/5/typing", form: { op: '"start"' }, status: 400, answer: errorAnswer() },
    "must request.value op",
    /JSON text/,
  ],
  [
    "a wrong number",
    { call: "PATCH /users/a@b.example", form: { role: "500" }, status: 400, answer: errorAnswer() },
    "must request.value role",
    /role/,
  ],
  [
    "JSON where text belongs",
    { call: "PATCH /messages/5", form: { topic: '"lunch"' }, answer: edited },
    "should request.plain-text topic",
    /send the text as it is/,
  ],
  [
    "a JSON body",
    { call: "PATCH /messages/5", body: '{"topic":"x"}', type: "application/json", status: 415, answer: errorAnswer() },
    "must request.media-type application/json",
    /must be application\/x-www-form-urlencoded/,
  ],
  [
    "a body without a type",
    { call: "PATCH /messages/5", body: "topic=x", type: "", status: 400, answer: errorAnswer() },
    "must request.media-type missing",
    /no Content-Type/,
  ],
  [
    "a form for an upload",
    { call: "POST /user_uploads", form: { file: "x" }, status: 400, answer: errorAnswer() },
    "must request.media-type application/x-www-form-urlencoded",
    /must be multipart\/form-data/,
  ],
  [
    "a multipart body without a boundary",
    {
      call: "POST /user_uploads",
      body: "--x\r\n\r\n--x--",
      type: "multipart/form-data",
      status: 400,
      answer: errorAnswer(),
    },
    "must request.media-type body",
    /malformed/,
  ],
  [
    "a multipart form",
    {
      call: "PATCH /messages/5",
      body: '--x\r\nContent-Disposition: form-data; name="topic"\r\n\r\nfun\r\n--x--\r\n',
      type: "multipart/form-data; boundary=x",
      answer: edited,
    },
    "should request.unsupported media type",
    /documents application\/x-www-form-urlencoded/,
  ],
  [
    "no credentials",
    { call: `GET /messages?anchor=1&${range}`, authorization: null, status: 401, answer: errorAnswer("UNAUTHORIZED") },
    "must request.credentials missing",
    /needs a login/,
  ],
  [
    "a bearer token",
    {
      call: `GET /messages?anchor=1&${range}`,
      authorization: "Bearer sesame-token-1",
      status: 401,
      answer: errorAnswer("UNAUTHORIZED"),
    },
    "must request.credentials scheme",
    /not Bearer/,
  ],
  [
    "credentials that are not encoded",
    {
      call: `GET /messages?anchor=1&${range}`,
      authorization: "Basic me@example.com:key",
      status: 401,
      answer: errorAnswer("UNAUTHORIZED"),
    },
    "must request.credentials form",
    /Base64/,
  ],
  [
    "credentials without a key",
    {
      call: `GET /messages?anchor=1&${range}`,
      authorization: `Basic ${btoa("me@example.com")}`,
      status: 401,
      answer: errorAnswer("UNAUTHORIZED"),
    },
    "must request.credentials form",
    /colon/,
  ],
  [
    "a key in the query",
    { call: `GET /messages?anchor=1&${range}&api_key=sesame-key`, answer: messages },
    "must request.credentials-in-url api_key",
    /Authorization header/,
  ],
  [
    "a later operation",
    { call: "POST /reminders", form: { message_id: "1" }, status: 404, answer: errorAnswer() },
    "must request.level createReminder",
    /from feature level 381 on, but the server has level 300/,
    300,
  ],
  [
    "a later parameter",
    { call: "PATCH /messages/5", form: { content: "x", prev_content_sha256: "0".repeat(64) }, answer: edited },
    "must request.level prev_content_sha256",
    /379/,
    378,
  ],
  [
    "a parameter that was required",
    { call: "GET /messages?anchor=1&num_before=1", status: 400, answer: errorAnswer() },
    "must request.required num_after",
    /missing/,
    299,
  ],
  [
    "a deprecated operation",
    { call: "PATCH /users/me/subscriptions/muted_topics", form: { stream_id: "9", topic: "x", op: "add" } },
    "should request.deprecated updateMutedTopic",
    /deprecated/,
  ],
  [
    "a deprecated parameter",
    { call: "GET /messages?use_first_unread_anchor=true&num_before=0&num_after=0", answer: messages },
    "should request.deprecated use_first_unread_anchor",
    /deprecated/,
  ],
  [
    "a missing header",
    { call: "POST /tus", headers: { "upload-length": "5" }, status: 412, answer: errorAnswer() },
    "must request.header Tus-Resumable",
    /missing/,
  ],
];

const more: typeof mistakes = [
  [
    "a user name that is no address",
    {
      call: "DELETE /users/me",
      authorization: `Basic ${btoa("17:sesame")}`,
      status: 401,
      answer: errorAnswer("UNAUTHORIZED"),
    },
    "must request.credentials user",
    /e-mail address/,
  ],
  [
    "a key in the form",
    { call: "PATCH /messages/5", form: { topic: "x", api_key: "sesame" }, answer: edited },
    "must request.credentials api_key",
    /Authorization header/,
  ],
  [
    "a JSON body of a GET",
    { call: `GET /messages?anchor=1&${range}`, body: "{}", type: "application/json", answer: messages },
    "must request.place body",
    /query string/,
  ],
  [
    "a form in Latin-1",
    { call: "PATCH /messages/5", body: "topic=%E4rger", type: "application/x-www-form-urlencoded", answer: edited },
    "must request.type UTF-8",
    /not in UTF-8/,
  ],
  [
    "an undefined value in the path",
    { call: "PATCH /messages/undefined", form: { topic: "x" }, status: 400, answer: errorAnswer() },
    "must request.type message_id",
    /must be omitted/,
  ],
  [
    "a wrong word or number",
    { call: `GET /messages?anchor=latest&${range}`, status: 400, answer: errorAnswer() },
    "must request.value anchor",
    /of type integer or one of newest, oldest, first_unread/,
  ],
  [
    "one value where a list belongs",
    { call: "POST /user_groups/5/subgroups", form: { add: "7" }, status: 400, answer: errorAnswer() },
    "must request.type add",
    /must be array/,
  ],
  [
    "an operation with another plural",
    { call: "DELETE /attachment/5", status: 404, answer: errorAnswer() },
    "must request.operation DELETE /attachment/5",
    /DELETE \/attachments\/\{attachment_id\}/,
  ],
];

describe("judgeExchange", () => {
  it.each([...mistakes, ...more])("names %s", async (_, sketch, finding, sentence, level) => {
    const found = (await judgeExchange(recordedExchange(sketch), { level: level ?? newestLevel })).findings;
    const named = found.find(({ rule, subject, strength }) => `${strength} ${rule} ${subject}` === finding);

    expect(found.map(({ rule, subject, strength }) => `${strength} ${rule} ${subject}`)).toContain(finding);
    expect(named?.problem).toMatch(sentence);
    expect(JSON.stringify(found)).not.toMatch(/sesame/);
  });

  it.each<[string, ExchangeSketch, level?: number]>([
    ["a call of an operation that the contract lacks", { call: "POST /register", answer: success }],
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

  it("names plain text where an old level needs JSON text", async () => {
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

  it("judges responses by the contract, and masks what it quotes", async () => {
    const findings = await problemsOf({ call: "DELETE /users/me", answer: { result: "success", api_key: "sesame-1" } });
    expect(findings).toEqual([
      "the response has further fields: api_key",
      "200: body: must have required property 'msg'",
    ]);
    expect(await problemsOf({ call: "DELETE /users/me", status: 500, answer: { api_key: "sesame-1" } })).toEqual([
      '500: status: the server failed with 500 with {"api_key":"***"}',
    ]);
  });

  it.each<[string, ExchangeSketch, string]>([
    [
      "a server that hides unsupported parameters",
      { call: "PATCH /messages/5", form: { topic: "x", colour: "red" }, answer: edited },
      "must conventions.ignored-parameters undefined",
    ],
    [
      "a server that accepts anyone",
      { call: "DELETE /users/me", authorization: null },
      "must authentication.no-credentials undefined",
    ],
    [
      "a server that accepts too little",
      { call: "POST /users/me/ios_device_token", form: { token: "x" } },
      "must push.add-ios-token.appid-required undefined",
    ],
    [
      "a server that adds fields",
      { call: "DELETE /users/me", answer: { ...success, extra: 1 } },
      "must conventions.nothing-else undefined",
    ],
  ])("names %s", async (_, sketch, finding) => {
    const found = await namesOf(sketch);
    expect(found.filter((name) => !name.startsWith("must request.") && !name.startsWith("should"))).toEqual([finding]);
  });
});

describe("judgeExchange under attack", () => {
  it("counts refusals that no finding explains, with the first message", async () => {
    const judge = await createTrafficJudge({ level: newestLevel, target: "http://127.0.0.1:4011/api/v1" });
    const refused = { status: 400, answer: errorAnswer() };
    await judge.observe(recordedExchange({ call: "PATCH /messages/5", form: { topic: "castle" }, ...refused }));
    await judge.observe(recordedExchange({ call: "PATCH /messages/6", form: { topic: "castle" }, ...refused }));
    await judge.observe(recordedExchange({ call: "PATCH /messages/7", form: { tpic: "castle" }, ...refused }));
    await judge.observe({
      ...recordedExchange({ call: "POST /users/me/muted_users/9", ...refused }),
      provoked: ["case muteUser/own_user"],
    });
    expect((await judge.report()).coverage?.refusals).toEqual([
      { operation: "editMessage", count: 2, first: "400 BAD_REQUEST No." },
    ]);
  });

  it("judges a query of many unknown names in bounded time, with a bounded number of findings", async () => {
    const query = new URLSearchParams(Array.from({ length: 12_000 }, (_, index) => [`n${index}`, "1"])).toString();
    expect((await namesOf({ call: `GET /messages?${query}` })).length).toBeLessThan(40);
  });

  it("judges sequences with a form of 170,000 names", async () => {
    const form = new URLSearchParams(Array.from({ length: 170_000 }, (_, index) => [`n${index}`, ""])).toString();
    const judge = await createTrafficJudge({ level: newestLevel, target: "http://127.0.0.1:4011/api/v1" });
    await judge.observe(recordedExchange({ call: "PATCH /messages/5", form, answer: edited }));
    await expect(judge.report()).resolves.toMatchObject({ contract: "chat" });
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

describe("judgeExchange of what is no mistake", () => {
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
