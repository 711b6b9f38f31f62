import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Case } from "../../src/contract/chat/cases.js";
import { exampleCase } from "../verify/chat/example-case.js";
import { type Answer, startExampleServer } from "../verify/chat/example-server.js";
import { runCase } from "./run-case.js";

const credentials = Object.fromEntries(
  ["administrator", "member", "other", "deactivated"].map((name, index) => [
    name,
    { user_id: 40 + index, email: `${name}@org.example`, api_key: `key-${name}` },
  ]),
);
const left = { result: "success", msg: "", removed: ["social"], not_removed: [] };
const badRequest = { result: "error", msg: "No", code: "BAD_REQUEST" };

let server: Awaited<ReturnType<typeof startExampleServer>>;
let api: Answer;
let state: Answer;
beforeEach(async () => {
  [api, state] = [{ body: left }, { body: { organization: "org-1", credentials, stream_id: 9 } }];
  server = await startExampleServer(({ url }) => (url === "/states" ? state : api));
});
afterEach(() => server.close());
const run = (one: Case) => runCase(one, { url: server.url, statesUrl: server.url });
const basic = (email: string, key: string) => `Basic ${btoa(`${email}:${key}`)}`;

describe("runCase", () => {
  it("sets up states, calls with the returned values, and finds no problem", async () => {
    expect(await run(exampleCase())).toEqual([]);
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST /states",
      "DELETE /api/v1/users/me/subscriptions",
    ]);
    expect(server.seen[1]?.authorization).toBe(basic("administrator@org.example", "key-administrator"));
    expect([...new URLSearchParams(server.seen[1]?.body)]).toEqual([
      ["subscriptions", '["social"]'],
      ["principals", "[42]"],
    ]);
  });

  it.each([
    ["member", basic("member@org.example", "key-member")],
    ["deactivated", basic("deactivated@org.example", "key-deactivated")],
    ["stranger", expect.stringMatching(/^Basic ./)],
    ["nobody", undefined],
  ])("calls as %s", async (as, want) => {
    await run(exampleCase({ as }));
    expect(server.seen.at(-1)?.authorization).toEqual(want);
  });

  it("sets up nothing for an outsider without states", async () => {
    await run(exampleCase({ as: "nobody", given: [], bind: {} }));
    expect(server.seen.map(({ url }) => url)).toEqual(["/api/v1/users/me/subscriptions"]);
  });

  it("sends values that a typed client cannot", async () => {
    api = { status: 400, body: badRequest };
    const one = exampleCase({
      operationId: "editMessage",
      bind: {},
      exact: [],
      request: { path: { message_id: "five" }, query: {}, header: {}, body: { stream_id: "x", colour: { a: 1 } } },
      response: { status: 400, mediaType: "application/json", body: badRequest },
    });
    expect(await run(one)).toEqual([]);
    expect(server.seen[1]).toMatchObject({
      method: "PATCH",
      url: "/api/v1/messages/five",
      body: "stream_id=9&colour=%7B%22a%22%3A1%7D",
    });
  });

  it("uploads a described file", async () => {
    api = { body: { result: "success", msg: "", url: "/a", uri: "/a", filename: "ä.txt" } };
    const file = { name: "ä.txt", type: "text/plain", text: "some text" };
    const body = { result: "success" };
    const request = { path: {}, query: {}, header: {}, body: { file } };
    const response = { status: 200, mediaType: "application/json", body };
    expect(await run(exampleCase({ operationId: "uploadFile", bind: {}, exact: [], request, response }))).toEqual([]);
    expect(server.seen[1]?.body).toMatch(/name="file"; filename="ä.txt"\r\nContent-Type: text\/plain\r\n\r\nsome text/);
  });

  it("sends the headers of a resumable upload", async () => {
    api = { status: 401, body: { ...badRequest, code: "UNAUTHORIZED" } };
    const one = exampleCase({
      operationId: "createResumableUpload",
      as: "nobody",
      given: [],
      bind: {},
      exact: [],
      request: { path: {}, query: {}, header: { "Tus-Resumable": "1.0.0" } },
      response: { status: 401, mediaType: "application/json", body: { code: "UNAUTHORIZED" } },
    });
    expect(await run(one)).toEqual([]);
    expect(server.seen[0]).toMatchObject({ method: "POST", url: "/api/v1/tus", authorization: undefined });
  });

  it.each<[string, Answer, RegExp]>([
    ["status", { status: 404, body: badRequest }, /^status: expected 200, got 404/],
    [
      "content type",
      { type: "text/plain", body: left },
      /^content type: expected application\/json, got "text\/plain"/,
    ],
    ["body that is not JSON", { body: "<p>" }, /^body: expected JSON/],
    [
      "missing field",
      { body: { ...left, not_removed: undefined } },
      /^body: must have required property 'not_removed'/,
    ],
    ["exact value", { body: { ...left, removed: [] } }, /^\/removed: expected \["social"\], got \[\]/],
  ])("reports a wrong %s", async (_, answer, want) => {
    api = answer;
    expect((await run(exampleCase())).join("\n")).toMatch(want);
  });

  it("reports a state that cannot be set up, and makes no call", async () => {
    state = { status: 400, body: { msg: "Unknown state: channel" } };
    expect(await run(exampleCase())).toEqual([
      'Provider state channel could not be set up: status 400, "Unknown state: channel"',
    ]);
    expect(server.seen).toHaveLength(1);
  });

  it("reports a missing caller and a missing value", async () => {
    expect(await run(exampleCase({ as: "guest" }))).toEqual(["The provider states returned no credentials of guest"]);
    expect(await run(exampleCase({ bind: { principals: ["moon"] } }))).toEqual([
      "bind names moon, but no state of the case returned it",
    ]);
  });

  it("reports a server that does not respond, and a malformed URL", async () => {
    const one = exampleCase({ as: "nobody", given: [], bind: {} });
    const gone = await startExampleServer(() => ({ body: {} }));
    await gone.close();
    expect(await runCase(one, { url: gone.url, statesUrl: gone.url })).toEqual([
      expect.stringContaining("fetch failed"),
    ]);
    expect(await runCase(one, { url: "moon", statesUrl: "moon" })).toEqual([
      expect.stringContaining("baseUrl must be"),
    ]);
  });
});
