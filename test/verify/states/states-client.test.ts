import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/base/listen.js";
import { createStatesClient, StateSetupError } from "../../../src/verify/states/states-client.js";
import { sendEndlessBody } from "../rest/endless-body.js";
import { type Answer, startExampleServer } from "../rest/example-server.js";

/** What the answers of the chat contract have. */
const answer = {
  hasOrganization: true,
  credentials: { user_id: "integer", email: "string", api_key: "string" },
};
const organization = [{ state: "organization" }];
const member = { user_id: 7, email: "member@org.example", api_key: "key" };

async function setUp(answers: readonly Answer[], given: Parameters<ReturnType<typeof createStatesClient>["setUp"]>[0]) {
  const left = [...answers];
  const server = await startExampleServer(() => left.shift() ?? { body: {} });
  try {
    const outcome = await createStatesClient(server.url, { answer, secretFields: ["api_key"] }).setUp(given);
    return { outcome, sent: server.seen.map(({ method, url, body }) => [method, url, JSON.parse(body)]) };
  } finally {
    await server.close();
  }
}

describe("createStatesClient", () => {
  it("sets up states in one organization and collects their values", async () => {
    const { outcome, sent } = await setUp(
      [
        { body: { organization: "org-1", credentials: { member }, stream_id: 4, stream: "a" } },
        { body: { organization: "org-1", credentials: { member }, stream_id: 5 } },
      ],
      [
        { state: "channel", params: { name: "a" }, rename: { stream_id: "old_stream_id" } },
        { state: "channel", params: { name: "b" } },
      ],
    );
    expect(outcome).toMatchObject({
      organization: "org-1",
      credentials: { member },
      values: { old_stream_id: 4, stream: "a", stream_id: 5 },
    });
    expect(sent).toEqual([
      ["POST", "/states", { state: "channel", params: { name: "a" }, action: "setup" }],
      ["POST", "/states", { state: "channel", params: { name: "b", organization: "org-1" }, action: "setup" }],
    ]);
  });

  it("sets up only an organization", async () => {
    const { sent } = await setUp([{ body: { organization: "org-1", credentials: { member } } }], organization);
    expect(sent).toEqual([["POST", "/states", { state: "organization", params: {}, action: "setup" }]]);
  });

  it.each<[string, Answer, string]>([
    ["a refusal", { status: 400, body: { msg: "Unknown state: moon" } }, 'status 400, "Unknown state: moon"'],
    ["a refusal without msg", { status: 502, body: "<p>" }, 'status 502, "<p>"'],
    ["text that is not JSON", { body: "<p>" }, 'the answer is not a JSON object: "<p>"'],
    ["an array", { body: ["organization"] }, "the answer is not a JSON object"],
    ["a long refusal", { status: 400, body: { msg: "-".repeat(900) } }, `status 400, "${"-".repeat(199)}…`],
    ["no organization", { body: { credentials: {} } }, "the answer has no organization"],
    [
      "an organization that is not text",
      { body: { organization: 17, credentials: {} } },
      "organization must be a string, but is an integer",
    ],
    ["no credentials", { body: { organization: "o" } }, "the answer has no credentials with"],
    [
      "an incomplete caller",
      { body: { organization: "o", credentials: { member: { email: "a" } } } },
      "credentials.member.user_id must be an integer, but is missing",
    ],
    [
      "a key that is not text",
      { body: { organization: "o", credentials: { member: { ...member, api_key: 5 } } } },
      "credentials.member.api_key must be a string, but is an integer",
    ],
  ])("rejects %s with the state and the reason", async (_, answer, reason) => {
    const error = await setUp([answer], [{ state: "moon" }]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StateSetupError);
    expect(error).toMatchObject({ state: "moon", status: answer.status ?? 200 });
    expect(String(error)).toContain("Provider state moon could not be set up");
    expect(String(error)).toContain(reason);
  });

  it("retries after a 429 as long as time remains", async () => {
    const slow = { status: 429, headers: { "Retry-After": "0.01" }, body: { msg: "slow" } };
    const made = { body: { organization: "org-1", credentials: { member } } };
    expect((await setUp([slow, slow, made], organization)).outcome.organization).toBe("org-1");
    const late = { status: 429, headers: { "Retry-After": "60" }, body: { msg: "slow" } };
    await expect(setUp([late, made], organization)).rejects.toThrow('status 429, "slow"');
  });

  it("names the URL that does not answer, and why", async () => {
    const { url, close } = await startExampleServer(() => ({ body: {} }));
    await close();
    await expect(createStatesClient(`${url}/states`).setUp(organization)).rejects.toThrow(
      /\/states does not answer: connect ECONNREFUSED 127\.0\.0\.1:\d+$/,
    );
  });

  it("shows no part of a key that the server echoes", async () => {
    const key = "gjA04ZYcqXKalvYMA8OeXSfzUOLrtbZv";
    const credentials = { member: { ...member, api_key: key } };
    for (const before of [150, 165, 175, 185, 195]) {
      const answers = [
        { body: { organization: "org-1", credentials } },
        { status: 400, body: { msg: `${"-".repeat(before)} ${key}` } },
      ];
      const error = await setUp(answers, [{ state: "channel" }, { state: "moon" }]).catch(String);
      expect(error).toContain('status 400, "----');
      expect(error).not.toContain(key.slice(0, 4));
    }
  });

  it.each([
    ["the origin of the API", (url: string) => url, "sesame"],
    ["no other origin", () => "http://127.0.0.1:9/api", undefined],
  ])("sends headers to %s", async (_, apiOf, sent) => {
    const server = createServer((request, response) =>
      response.end(JSON.stringify({ sent: request.headers["x-key"] })),
    );
    const { url, close } = await listen(server);
    onTestFinished(close);
    const { values } = await createStatesClient(url, { url: apiOf(url), headers: { "X-Key": "sesame" } }).setUp(
      organization,
    );
    expect(values.sent).toBe(sent);
  });

  it("aborts a response that never ends", async () => {
    const { url, close } = await listen(createServer((_, response) => sendEndlessBody(response)));
    onTestFinished(close);
    await expect(createStatesClient(url).setUp(organization)).rejects.toThrow(
      /could not be set up: the answer is larger than 4 MiB/,
    );
  });

  it("limits the time of all states together", async () => {
    const server = createServer((_, response) => {
      setTimeout(() => response.end(JSON.stringify({ organization: "org-1", credentials: { member } })), 150);
    });
    const { url, close } = await listen(server);
    onTestFinished(close);
    const given = Array.from({ length: 100 }, () => ({ state: "channel" }));
    await expect(createStatesClient(url, { timeoutMs: 400 }).setUp(given)).rejects.toThrow("no answer within 400 ms");
  });

  it("rejects with the reason of the signal when aborted", async () => {
    const stop = new AbortController();
    const server = createServer(() => stop.abort(new Error("enough")));
    const { url, close } = await listen(server);
    onTestFinished(close);
    await expect(createStatesClient(url, { signal: stop.signal }).setUp(organization)).rejects.toThrow(/^enough$/);
  });
});
