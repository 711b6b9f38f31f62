import { createServer, type ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/base/listen.js";
import type { CallStep, Expected, ParallelStep, Step } from "../../../src/contract/check.js";
import { bytesOf } from "../../../src/judge/bytes.js";
import type { Answer } from "../rest/example-server.js";
import { startStubChat, stubKeys, stubState } from "../rest/stub-chat.js";
import { callStep, runStepsOf } from "./run-check.js";

const ok = { body: { result: "success", msg: "" } };
const get = (url: string, step: Partial<CallStep> = {}) =>
  callStep("get", { request: { method: "GET", url }, ...step });
const create = callStep("create", {
  request: { method: "POST", url: "/files" },
  outputs: { url: { at: ["/url", "header Location"] } },
});

describe("a request to a URL", () => {
  it("sends bytes and headers, and compares the bytes of the response", async () => {
    const server = await startStubChat(() => ({ body: String(bytesOf({ fill: "m", length: 9 })), type: "text/plain" }));
    const put = (bytes: Expected["bytes"]) =>
      callStep("put", {
        request: { method: "PUT", url: "/file", body: { text: "scenery" } },
        headers: { "User-Agent": "Crew/1" },
        expect: [{ status: 200, bytes }],
      });
    expect(await runStepsOf([put({ fill: "m", length: 9 })], server)).toEqual({ kind: "passed" });
    expect(server.seen.at(-1)).toMatchObject({ method: "PUT", url: "/file", body: "scenery", userAgent: "Crew/1" });
    expect(await runStepsOf([put("every-byte")], server)).toMatchObject({
      kind: "failed",
      problems: ["step put: body: expected 256 other bytes, got 9"],
    });
  });

  it.each<[string, Answer, string | undefined]>([
    ["in the body", { body: { url: "/a" } }, "/a"],
    ["in a header, relative to the request", { headers: { Location: "a?b" }, body: {} }, "/a?b"],
    ["in a header, as an absolute path", { headers: { Location: "/c" }, body: {} }, "/c"],
  ])("goes to a URL %s of an earlier response", async (_, answer, want) => {
    const server = await startStubChat(({ method }) => (method === "POST" ? answer : ok));
    expect(await runStepsOf([create, get("$create.url")], server)).toEqual({ kind: "passed" });
    expect(server.seen.at(-1)?.url).toBe(want);
  });

  it.each([
    ["http://127.0.0.2:9/a", "the URL is at an origin other than that of the API"],
    ["http://[", '"http://[" is not a URL'],
  ])("skips the check instead of sending credentials to %s", async (url, reason) => {
    const server = await startStubChat(() => ({ body: { url } }));
    expect(await runStepsOf([create, get("$create.url")], server)).toEqual({
      kind: "skipped",
      reason: `step get: ${reason}`,
    });
    expect(server.seen.map((request) => request.url)).toEqual(["/states", "/files"]);
  });

  it("may be redirected, if the step expects no success", async () => {
    const server = await startStubChat(() => ({ status: 302, headers: { Location: "/login" }, body: "" }));
    expect(await runStepsOf([get("/a", { expect: [{ status: { "at-least": 300 } }] })], server)).toEqual({
      kind: "passed",
    });
    expect(await runStepsOf([get("/a")], server)).toMatchObject({ kind: "failed" });
  });

  it("sends the headers that a provider state returned, and masks them", async () => {
    const headers = { Cookie: "session=sesame-street" };
    const server = await startStubChat(
      () => ({ status: 500, body: {} }),
      () => ({ body: stubState({ headers }) }),
    );
    const session: Step = { kind: "state", id: "session", state: "session", params: {}, values: ["headers"] };
    const outcome = await runStepsOf([session, get("/a", { as: "nobody", headers: "$session.headers" })], server);
    expect(outcome).toMatchObject({ kind: "failed" });
    expect(JSON.stringify(outcome)).toContain("Cookie: ***");
    for (const key of [...stubKeys, "sesame-street"]) expect(JSON.stringify(outcome)).not.toContain(key);
  });
});

describe("steps at the same time", () => {
  it("are sent before any response", async () => {
    const held: ServerResponse[] = [];
    const chat = createServer((request, response) => {
      if (request.url === "/states") return void response.end(JSON.stringify(stubState({})));
      held.push(response);
      if (held.length === 3) for (const one of held) one.end("{}");
    });
    const { url, close } = await listen(chat);
    onTestFinished(close);
    const steps = ["/a", "/b", "/c"].map((path) => get(path));
    const outcome = await runStepsOf([{ kind: "parallel", id: "at-once", steps }], { url, statesUrl: url });
    expect(outcome).toEqual({ kind: "passed" });
  });

  it("break the rules of their step, unless they are a precondition", async () => {
    const server = await startStubChat(({ url }) => (url === "/b" ? { status: 500, body: {} } : ok));
    const parallel: ParallelStep = {
      kind: "parallel",
      id: "at-once",
      steps: ["/a", "/b"].map((url) => get(url)),
      rules: ["example.rule"],
    };
    expect(await runStepsOf([parallel], server)).toMatchObject({ kind: "failed", broken: ["example.rule"] });
    expect(await runStepsOf([{ ...parallel, precondition: true }], server)).toMatchObject({ kind: "skipped" });
  });
});

describe("a check", () => {
  it("shows nothing if a precondition fails", async () => {
    const server = await startStubChat(() => ok);
    const unknown = get("/a-unknown", { id: "unknown", precondition: true, expect: [{ status: { "at-least": 300 } }] });
    expect(await runStepsOf([unknown, get("/a")], server)).toMatchObject({
      kind: "skipped",
      reason: expect.stringMatching(/^step unknown: status: expected a number at least 300, got 200/),
    });
  });

  it("about known feature levels only is skipped on a newer server", async () => {
    const server = await startStubChat(() => ({ body: { later: 1 } }));
    const steps = [get("/a", { expect: [{ status: 200, body: { "/later": { present: false } } }] })];
    const about = { knownLevelsOnly: true } as const;
    expect(await runStepsOf(steps, server, about)).toMatchObject({ kind: "failed" });
    expect(await runStepsOf(steps, { ...server, isNewer: true }, about)).toEqual({
      kind: "skipped",
      reason: "the server has a newer feature level than the contract",
    });
  });

  it.each([
    { state: "session", status: 400, kind: "skipped" },
    { state: "organization", status: 400, kind: "errored" },
    { state: "organization", status: 501, kind: "skipped" },
  ])("is $kind if the server answers $status for the state $state", async ({ state, status, kind }) => {
    const server = await startStubChat(
      () => ok,
      () => ({ status, body: { msg: "Unknown state" } }),
    );
    const given: Step = { kind: "state", id: "given", state, params: {}, values: [] };
    expect(await runStepsOf([given], server)).toMatchObject({
      kind,
      reason: expect.stringContaining("Unknown state"),
    });
  });
});
