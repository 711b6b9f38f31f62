import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/base/listen.js";
import { userAgent } from "../../../src/base/versions.js";
import type { CallStep, Check, StateStep, Step } from "../../../src/contract/check.js";
import type { CheckOutcome } from "../../../src/report/model/check-result.js";
import type { Answer, SeenRequest } from "../rest/example-server.js";
import { startStubChat, stubKeys, stubState } from "../rest/stub-chat.js";
import { call, check, given, runOn } from "./run-on.js";

const success = { result: "success", msg: "", status: {} };
const refusal = { result: "error", msg: "No", code: "BAD_REQUEST" };
const gone = "http://127.0.0.1:1";
const right: Answer = { body: success };
const wrong: Answer = { status: 400, body: refusal };
const withHelp = expect.stringContaining("To POST /states with ");
const values = { stream_id: 9, message_id: 8 };
const fresh: Answer = { body: stubState(values) };
const channel: StateStep = { ...given, state: "channel", values: ["stream_id"] };

/** Runs a check on a server with these responses to its calls, in turn, and to its setups. */
async function run(one: Check, answers: readonly Answer[] = [right], state: readonly Answer[] = [fresh]) {
  const [left, setups] = [[...answers], [...state]];
  const server = await startStubChat(
    () => left.shift() ?? right,
    () => setups.shift() ?? fresh,
  );
  const { outcome, isAnswered } = await runOn(server, one);
  const calls = server.seen.filter(({ url }) => url !== "/states");
  return { outcome, isAnswered, calls, seen: server.seen };
}

describe("a provider state", () => {
  it.each<[what: string, steps: readonly Step[], setups: readonly Answer[], want: object]>([
    [
      "that the server lacks skips the check",
      [channel, call()],
      [{ status: 501, body: { msg: "No" } }],
      {
        kind: "skipped",
        reason: 'Provider state channel could not be set up: status 501, "No"',
        need: { kind: "state", state: "channel" },
      },
    ],
    [
      "that fails",
      [channel, call()],
      [{ status: 500, body: "oops" }],
      { kind: "errored", reason: 'Provider state channel could not be set up: status 500, "oops"', help: withHelp },
    ],
    [
      "without a value that the check needs skips the check",
      [channel, call()],
      [{ body: stubState({}) }],
      {
        kind: "skipped",
        reason: "Provider state channel could not be set up: the answer has no stream_id",
        need: { kind: "state", state: "channel", value: "stream_id" },
      },
    ],
    [
      "without a value that the check needs by another name skips the check",
      [{ ...channel, rename: { stream_id: "old_id" }, values: ["old_id"] }, call()],
      [{ body: stubState({}) }],
      {
        kind: "skipped",
        reason: "Provider state channel could not be set up: the answer has no stream_id",
        need: { kind: "state", state: "channel", value: "stream_id" },
      },
    ],
    [
      "without a value that it may leave out skips the check",
      [{ ...channel, values: ["stream"] }, call()],
      [{ body: stubState({ stream_id: 9 }) }],
      { kind: "skipped", reason: "Provider state channel could not be set up: the answer has no stream" },
    ],
    [
      "with a value of another type",
      [channel, call()],
      [{ body: stubState({ stream_id: "9" }) }],
      {
        kind: "errored",
        reason: "Provider state channel could not be set up: stream_id must be of type integer, but is a string",
        help: withHelp,
      },
    ],
    [
      "without the credentials of the caller",
      [given, call()],
      [{ body: { ...stubState(values), credentials: {} } }],
      {
        kind: "errored",
        reason: "Provider state organization could not be set up: the answer has no credentials of member",
        help: withHelp,
      },
    ],
    [
      "without the credentials that a request names",
      [channel, call({ with: { user_id: "$credentials.king.user_id" } })],
      [],
      { kind: "errored", reason: expect.stringMatching(/the answer has no credentials of king$/), help: withHelp },
    ],
    [
      "that redirects",
      [channel, call()],
      [{ status: 302, headers: { Location: "/there" }, body: "" }],
      { kind: "errored", reason: expect.stringMatching(/the server redirects .* and a redirect is not followed$/) },
    ],
    [
      "that is nested too deeply",
      [channel, call()],
      [{ body: `{"a":${"[".repeat(9999)}${"]".repeat(9999)}}` }],
      { kind: "errored", reason: expect.stringContaining("the answer is nested too deeply to read"), help: withHelp },
    ],
  ])("%s", async (_, steps, setups, want) => {
    const { outcome, isAnswered, calls } = await run(check(steps), [], setups);
    expect(outcome).toMatchObject(want);
    expect([isAnswered, calls]).toEqual([true, []]);
  });

  it("shows no part of a key of an earlier one that it quotes", async () => {
    const [key = ""] = stubKeys;
    for (const before of [175, 185, 195]) {
      const echo = { status: 400, body: { msg: `${"-".repeat(before)} ${key}` } };
      const { outcome } = await run(check([given, { ...channel, id: "second" }, call()]), [], [fresh, echo]);
      const reason = outcome.kind === "errored" ? outcome.reason : "";
      expect(reason).toContain("status 400");
      expect(reason).not.toContain(key.slice(0, 4));
    }
  });

  it("leaves an example where it returns no value", async () => {
    const state = { ...channel, values: ["stream"], defaults: { stream: "social" } };
    const { outcome, calls } = await run(check([state, call({ with: { user_id: 7, name: "$given.stream" } })]));
    expect([outcome.kind, calls[0]?.url]).toEqual(["passed", "/api/v1/users/7/status?name=social"]);
  });

  it("breaks its rules if what it returns is wrong", async () => {
    const second: StateStep = { ...channel, id: "second", rules: ["state"], expect: { "/stream_id": 8 } };
    const { outcome } = await run(check([given, call(), second], { kind: "workflow" }));
    const problems = ["step second: /stream_id: expected 8, got 9"];
    expect(outcome).toMatchObject({ kind: "failed", problems, broken: ["state"] });
  });

  it("shares the organization of the check, unless it is fresh", async () => {
    const states = [given, { ...channel, id: "b" }, { ...given, id: "c", fresh: true } as const];
    const { seen } = await run(check([...states, call()]));
    expect(seen.slice(0, 3).map(({ body }) => JSON.parse(body))).toEqual([
      { state: "organization", params: {}, action: "setup", check: "case x/y" },
      { state: "channel", params: { organization: "org-1" }, action: "setup", check: "case x/y" },
      { state: "organization", params: {}, action: "setup", check: "case x/y" },
    ]);
  });
});

it("skips a check that needs provider states if there are none, and sends nothing", async () => {
  const server = await startStubChat(() => right);
  const withStates = await runOn({ url: server.url }, check([given, call()]));
  expect(withStates.outcome).toMatchObject({ kind: "skipped", need: { kind: "states" } });
  expect(server.seen).toEqual([]);
  expect((await runOn({ url: server.url }, check([call({ as: "nobody" })]))).outcome.kind).toBe("passed");
});

describe("a request", () => {
  const header = (name: string, key: string) => `Basic ${btoa(`${name}@org.example:${key}`)}`;

  it.each<[what: string, step: Partial<CallStep>, want: Partial<Record<keyof SeenRequest, unknown>>]>([
    ["of a caller", {}, { method: "GET", authorization: header("member", "sesame-member") }],
    ["of a stranger", { as: "stranger" }, { authorization: expect.stringMatching(/^Basic ./) }],
    ["of nobody", { as: "nobody" }, { authorization: undefined }],
    [
      "with other credentials",
      { as: { email: "$credentials.member.email", api_key: "wrong" } },
      { authorization: header("member", "wrong") },
    ],
    ["names the package", {}, { userAgent }],
    ["names another agent if it says so", { headers: { "User-Agent": "Old/1" } }, { userAgent: "Old/1" }],
    [
      "with values of earlier steps",
      { call: "updateMutedTopic", with: { stream_id: "$given.stream_id", topic: "{$given.stream_id}!", op: "$$$x" } },
      { method: "PATCH", body: "stream_id=9&topic=9%21&op=%24x" },
    ],
    [
      "with values that no typed client sends",
      { call: "editMessage", with: { message_id: "five", stream_id: "x", colour: { a: 1 } } },
      { method: "PATCH", url: "/api/v1/messages/five", body: "stream_id=x&colour=%7B%22a%22%3A1%7D" },
    ],
    [
      "with a file",
      { call: "uploadFile", with: { file: { name: "ä.txt", type: "text/plain", text: "some text" } } },
      { body: expect.stringMatching(/filename="ä.txt"\r\nContent-Type: text\/plain\r\n\r\nsome text/) },
    ],
    [
      "that no operation describes",
      { call: undefined as never, request: { method: "PUT", url: "/x?$", body: { text: "abc" } } },
      { method: "PUT", url: "/x?$", body: "abc" },
    ],
  ])("%s", async (_, step, want) => {
    const { calls } = await run(check([channel, call(step)]));
    expect(calls).toEqual([expect.objectContaining(want)]);
  });

  it.each([
    ["at another origin", "http://other.example/x", "the URL is at an origin other than that of the API"],
    ["that is malformed", "http://[/x", '"http://[/x" is not a URL'],
  ])("is not sent to a URL %s", async (_, url, reason) => {
    const first = call({ expect: [], outputs: { url: "/status/url" } });
    const { call: __, ...second } = call({ id: "second", request: { method: "GET", url: "$call.url" } });
    const answer = { body: { ...success, status: { url } } };
    const { outcome, calls } = await run(check([given, first, second as CallStep]), [answer]);
    expect(outcome).toEqual({ kind: "skipped", reason });
    expect(calls).toHaveLength(1);
  });

  it("is repeated byte for byte after a 429", async () => {
    const busy = { status: 429, headers: { "Retry-After": "0" }, body: refusal };
    const upload = call({ call: "uploadFile", with: { file: { name: "a", type: "text/plain", text: "x" } } });
    const right = { body: { result: "success", msg: "", uri: "/a", url: "/a", filename: "a" } };
    const { outcome, calls } = await run(check([given, upload]), [busy, busy, right]);
    expect(outcome.kind).toBe("passed");
    expect(new Set(calls.map(({ body }) => body)).size).toBe(1);
    expect(calls).toHaveLength(3);
  });

  it("breaks no rule if a 429 asks for too long a wait", async () => {
    const busy = { status: 429, headers: { "Retry-After": "3600" }, body: refusal };
    const { outcome, isAnswered } = await run(check([given, call()]), [busy]);
    const trace = [{ command: expect.stringContaining("/states") }, { command: expect.stringContaining("/status") }];
    const reason = "the server keeps answering 429; it asks to wait 3600 seconds";
    expect(outcome).toMatchObject({ kind: "errored", reason, trace });
    expect(isAnswered).toBe(false);
  });
});

describe("without a response, a check breaks no rule", () => {
  it("if nothing listens", async () => {
    const run = await runOn({ url: gone }, check([call({ as: "nobody" })]));
    const reason = expect.stringMatching(/^no answer: .*ECONNREFUSED/);
    const trace = [{ command: `curl ${gone}/api/v1/users/7/status`, request: expect.any(String) }];
    expect(run).toMatchObject({ outcome: { kind: "errored", reason, trace }, isAnswered: false });
    const inWorkflow = await runOn({ url: gone }, check([call({ as: "nobody" })], { kind: "workflow" }));
    expect(inWorkflow.outcome).toMatchObject({ reason: expect.stringMatching(/^step call: no answer: /) });
  });

  it("if nothing listens for provider states, without help on their format", async () => {
    const { outcome, isAnswered } = await runOn({ url: gone, statesUrl: gone }, check([given, call()]));
    const reason = expect.stringContaining("/states does not answer: ");
    expect([outcome, isAnswered]).toEqual([{ kind: "errored", reason, trace: [] }, false]);
  });

  it("if a gateway answers for provider states, which are not set up again", async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      response.writeHead(502, { "Content-Type": "text/html" }).end("<p>Bad gateway</p>");
    });
    const { url, close } = await listen(server);
    onTestFinished(close);
    const { outcome, lost } = await runOn({ url: gone, statesUrl: url }, check([given, call()]));
    const reason = `Provider state ${given.state} could not be set up: a gateway answered 502 instead of ${url}/states; a setup writes, so it was not repeated`;
    expect([outcome, lost?.kind, requests]).toEqual([{ kind: "errored", reason, trace: [] }, "gateway", 1]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["before", () => {}],
    ["during", (response) => void response.writeHead(200, { "Content-Type": "application/json" }).write("{")],
  ])("if time runs out %s the response", async (_, answer) => {
    const server = createServer((_, response) => answer(response));
    const { url, close } = await listen(server);
    onTestFinished(close);
    const { outcome } = await runOn({ url }, check([call({ as: "nobody" })]), { timeoutMs: 100 });
    expect(outcome).toMatchObject({ kind: "errored", reason: "no answer within 100 ms" });
  });

  it.each(["/states", "/api/v1/users/7/status"])("rejects once it is aborted while it waits for %s", async (path) => {
    const server = createServer((request, response) => {
      if (request.url === "/states" && path !== "/states") response.end(JSON.stringify(stubState(values)));
    });
    const { url, close } = await listen(server);
    onTestFinished(close);
    const abort = new AbortController();
    const running = runOn({ url, statesUrl: url }, check([given, call()]), { signal: abort.signal });
    for (let asked = ""; asked !== path; ) [{ url: asked }] = await once(server, "request");
    abort.abort(new Error("enough"));
    await expect(running).rejects.toThrow(/^enough$/);
  });
});

describe("the trace", () => {
  it("has the setups and calls, says which key *** stands for, and shows no secret", async () => {
    const [, key = ""] = stubKeys;
    const leaking = { status: 400, headers: { "X-Key": key }, body: { ...refusal, msg: `${key} ${btoa(key)}` } };
    const { outcome } = await run(check([given, call()]), [leaking]);
    expect(outcome).toMatchObject({
      trace: [
        {
          command: expect.stringMatching(/^curl .*"state":"organization".*\/states$/),
          response: expect.stringContaining('"api_key":"***"'),
        },
        {
          command: expect.stringMatching(
            /^curl -u 'member@org\.example:\*\*\*' http:\S+ # \*{3} is credentials\.member\.api_key in the answer to POST \/states/,
          ),
          request: expect.stringContaining("Authorization: Basic ***"),
          response: expect.stringMatching(/^400 Bad Request\n.*X-Key: \*{3}/is),
        },
      ],
    });
    const text = JSON.stringify(outcome);
    for (const one of stubKeys) expect(text).not.toMatch(new RegExp(`${one}|${btoa(one).slice(0, 12)}`));
  });

  it("masks keys that a later setup returns", async () => {
    const echo = { status: 400, body: { ...refusal, msg: "late-key" } };
    const other = { user_id: 1, email: "o@x.example", api_key: "late-key" };
    const later = { body: { organization: "org-2", credentials: { other } } };
    const steps = [given, call({ expect: [] }), { ...given, id: "b", fresh: true } as const, call()];
    const { outcome } = await run(check(steps), [echo, echo], [fresh, later]);
    expect(outcome.kind).toBe("failed");
    expect(JSON.stringify(outcome)).not.toContain("late-key");
  });
});

describe("steps", () => {
  const second = (change: Partial<CallStep> = {}) => call({ id: "second", rules: ["second"], ...change });
  const away = { body: { ...success, status: { away: true } } };
  const workflow = (steps: readonly Step[], change: Partial<Check> = {}) =>
    check(steps, { kind: "workflow", ...change });

  it.each<[what: string, check: Check, answers: readonly Answer[], want: CheckOutcome | object, calls: number]>([
    [
      "end at the first that fails, which breaks its own rules alone",
      workflow([given, call(), second(), call({ id: "third" })], { rules: ["rule", "second", "unnamed"] }),
      [right, wrong],
      {
        kind: "failed",
        problems: [`step second: status: expected 200, got 400 with ${JSON.stringify(refusal)}`],
        broken: ["second"],
      },
      2,
    ],
    [
      "break the rules that no step names if one fails that names none",
      workflow([given, call({ rules: undefined as never }), second()], { rules: ["second", "unnamed"] }),
      [wrong],
      { kind: "failed", broken: ["unnamed"] },
      1,
    ],
    [
      "show nothing if a precondition fails",
      workflow([given, call({ precondition: true }), second()]),
      [wrong],
      { kind: "skipped", reason: expect.stringMatching(/^step call: status: expected 200, got 400/) },
      1,
    ],
    [
      "get values of earlier responses",
      workflow([
        given,
        call({ outputs: { away: "/status/away", by: { at: ["/none", "header X-By"], otherwise: 5 } } }),
        second({ with: { user_id: "$call.by" }, expect: [{ status: 200, body: { "/status/away": "$call.away" } }] }),
      ]),
      [{ ...away, headers: { "X-By": "3" } }, away],
      { kind: "passed" },
      2,
    ],
    [
      "fail without a value that a response must have",
      workflow([given, call({ outputs: { away: "/status/away" } }), second()]),
      [right],
      { kind: "failed", problems: ["step call: the answer has no /status/away"], broken: ["rule"] },
      1,
    ],
    [
      "show what they have shown if a value that later ones need may be absent",
      workflow([given, call(), second({ outputs: { x: { at: "/x", optional: true } } }), call({ rules: ["third"] })]),
      [],
      { kind: "passed", shown: ["rule"], reason: "step second: the answer has no /x" },
      2,
    ],
    [
      "deviate with their name",
      workflow([given, call({ expect: [{ status: 400, recommendedBy: "should" }] })], { rules: ["rule", "should"] }),
      [{ status: 404, body: refusal }],
      { kind: "failed", problems: ["step call: status: recommended is 400, got 404"], broken: ["should"] },
      1,
    ],
    [
      "deviate with the calls up to it, whatever follows",
      workflow([given, call({ expect: [{ status: 400, recommendedBy: "should" }] }), second()], {
        rules: ["rule", "should"],
      }),
      [{ status: 404, body: refusal }, right],
      { kind: "failed", trace: [{}, { response: expect.stringMatching(/^404/) }] },
      2,
    ],
    [
      "report the problems of all that run at the same time",
      workflow([given, { kind: "parallel", id: "both", rules: ["rule"], steps: [call(), second()] }]),
      [wrong, wrong],
      {
        kind: "failed",
        problems: [expect.stringMatching(/^step both: status/), expect.stringMatching(/^step both: status/)],
        broken: ["rule", "second"],
      },
      2,
    ],
  ])("%s", async (_, one, answers, want, count) => {
    const { outcome, calls } = await run(one, answers);
    expect(outcome).toMatchObject(want);
    expect(calls).toHaveLength(count);
  });

  it("run at the same time in a parallel step", async () => {
    const waiting: ServerResponse[] = [];
    const server = createServer((_, response) => {
      response.setHeader("Content-Type", "application/json");
      waiting.push(response);
      if (waiting.length === 2) for (const each of waiting) each.end(JSON.stringify(success));
    });
    const { url, close } = await listen(server);
    onTestFinished(close);
    const steps = [call({ as: "nobody" }), call({ as: "nobody", id: "second" })];
    const { outcome } = await runOn({ url }, check([{ kind: "parallel", id: "both", steps }]));
    expect(outcome.kind).toBe("passed");
  });
});

describe("reads before and after a refused request", () => {
  const compared = { compare: "/messages", except: ["flags"] };
  const read = (as: string, when: "before" | "after"): CallStep => {
    const readBack = when === "before" ? compared : { ...compared, since: `before-${as}` };
    const about = {
      id: `${when}-${as}`,
      as,
      call: "getMessages",
      with: {},
      expect: [],
      readBack,
    } as const;
    return { kind: "call", ...about, rules: when === "before" ? [] : ["changes"] };
  };
  const refused = call({ call: "updateMutedTopic", with: { topic: "x" }, expect: [{ status: 400 }] });
  const callers = ["member", "administrator"];
  const steps = [given, ...callers.map((as) => read(as, "before")), refused, ...callers.map((as) => read(as, "after"))];
  const page = (content: string, flags: string[] = []): Answer => ({ body: { messages: [{ id: 1, content, flags }] } });
  const [a, b] = [page("a"), page("b")];
  const changed =
    'the request was refused, but it changed what member reads: /messages/0/content was "a" before the request and "b" after it';

  it.each<[what: string, answers: readonly Answer[], want: object]>([
    ["show that nothing changed", [a, a, wrong, page("a", ["read"]), a], { kind: "passed" }],
    [
      "find a change",
      [a, a, wrong, b, a],
      { kind: "failed", problems: [changed], broken: ["changes"], shown: ["rule"] },
    ],
    [
      "find a change even if the request was refused in a wrong way",
      [a, a, { status: 404, body: refusal }, b, a],
      {
        kind: "failed",
        problems: [expect.stringMatching(/^status: expected 400, got 404/), changed],
        broken: ["rule", "changes"],
      },
    ],
    ["show it by one caller", [wrong, a, wrong, wrong, a], { kind: "passed" }],
    ["show it by one caller, in any order", [a, wrong, wrong, a, wrong], { kind: "passed" }],
    [
      "show nothing if no caller can read",
      [a, a, wrong, wrong, wrong],
      { kind: "passed", shown: ["rule"], reason: "no caller could read before and after the request" },
    ],
    [
      "show nothing if there is nothing to read",
      [{ body: { messages: [] } }, wrong, wrong, { body: { messages: [] } }, wrong],
      { kind: "passed", shown: ["rule"] },
    ],
  ])("%s", async (_, answers, want) => {
    const { outcome } = await run(check(steps), answers);
    expect(outcome).toMatchObject(want);
    if (outcome.kind === "passed" && !("shown" in want)) expect(outcome.shown ?? ["rule", "changes"]).toHaveLength(2);
  });
});
