import { describe, expect, it } from "vitest";
import { createStatesClient, StateSetupError } from "../../../src/verify/chat/states-client.js";
import { type Answer, startExampleServer } from "./example-server.js";

const member = { user_id: 7, email: "member@org.example", api_key: "key" };

async function setUp(answers: readonly Answer[], given: Parameters<ReturnType<typeof createStatesClient>["setUp"]>[0]) {
  const left = [...answers];
  const server = await startExampleServer(() => left.shift() ?? { body: {} });
  try {
    const outcome = await createStatesClient(server.url).setUp(given);
    return { outcome, sent: server.seen.map(({ method, url, body }) => [method, url, JSON.parse(body)]) };
  } finally {
    await server.close();
  }
}

describe("createStatesClient", () => {
  it("sets states up in one organization and collects what they return", async () => {
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
    expect(outcome).toEqual({
      organization: "org-1",
      credentials: { member },
      values: { old_stream_id: 4, stream: "a", stream_id: 5 },
    });
    expect(sent).toEqual([
      ["POST", "/states", { state: "channel", params: { name: "a" }, action: "setup" }],
      ["POST", "/states", { state: "channel", params: { name: "b", organization: "org-1" }, action: "setup" }],
    ]);
  });

  it("makes an organization when there are no states", async () => {
    const { sent } = await setUp([{ body: { organization: "org-1", credentials: { member } } }], []);
    expect(sent).toEqual([["POST", "/states", { state: "organization", params: {}, action: "setup" }]]);
  });

  it.each<[string, Answer, string]>([
    ["a refusal", { status: 400, body: { msg: "Unknown state: moon" } }, 'status 400, "Unknown state: moon"'],
    ["a refusal without msg", { status: 502, body: "<p>" }, 'status 502, "<p>"'],
    ["no JSON", { body: "<p>" }, "the answer names no organization"],
    ["no organization", { body: { credentials: {} } }, "the answer names no organization"],
    ["no credentials", { body: { organization: "o" } }, "the answer has no credentials with"],
    [
      "half a caller",
      { body: { organization: "o", credentials: { member: { email: "a" } } } },
      "has no credentials with",
    ],
  ])("names state and reason for %s", async (_, answer, reason) => {
    const error = await setUp([answer], [{ state: "moon" }]).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StateSetupError);
    expect(error).toMatchObject({ state: "moon", status: answer.status ?? 200 });
    expect(String(error)).toContain("Provider state moon could not be set up");
    expect(String(error)).toContain(reason);
  });

  it("says where nobody answers", async () => {
    const { url, close } = await startExampleServer(() => ({ body: {} }));
    await close();
    await expect(createStatesClient(`${url}/states`).setUp([])).rejects.toThrow(`${url}/states does not answer`);
  });

  it.each(["", "localhost:4011", "ftp://127.0.0.1"])("throws for the URL %j", (url) => {
    expect(() => createStatesClient(url)).toThrow(TypeError);
  });
});
