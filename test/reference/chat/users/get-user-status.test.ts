import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { setUpChat } from "../../../support/set-up-chat.js";

let server: ChatReference;
beforeAll(async () => {
  server = await createChatReference({ states: true, validateResponses: true });
});
afterAll(() => server.close());

describe("getUserStatus", () => {
  it.each([
    [{}, {}],
    [{ presence_enabled: true }, {}],
    [{ presence_enabled: false }, { away: true }],
    [{ status_text: "" }, {}],
    [{ of: "deactivated", status_text: "gone" }, { status_text: "gone" }],
    [
      { emoji_name: "house", emoji_code: "1f3e0", reaction_type: "unicode_emoji" },
      { emoji_name: "house", emoji_code: "1f3e0", reaction_type: "unicode_emoji" },
    ],
  ])("returns for the state %j: %j", async (params, status) => {
    const setup = await setUpChat(server, { state: "user-status", params });
    const answer = await setup.as("guest").getUserStatus({ user_id: setup.id("user_id") });
    expect(answer).toMatchObject({ status: 200 });
    expect((answer as { data: { status: object } }).data.status).toEqual(status);
  });

  it("returns the last status in place of the earlier one, except for the presence setting", async () => {
    const setup = await setUpChat(
      server,
      {
        state: "user-status",
        params: { presence_enabled: false, status_text: "out", reaction_type: "service_extra_emoji" },
      },
      { state: "user-status", params: { status_text: "back" } },
    );
    const answer = await setup.as("member").getUserStatus({ user_id: setup.id("user_id") });
    expect((answer as { data: { status: object } }).data.status).toEqual({ away: true, status_text: "back" });
  });

  it("treats bots, users of other organizations and inaccessible users like unknown ones", async () => {
    const elsewhere = await setUpChat(server, { state: "organization", params: {} });
    const setup = await setUpChat(server, { state: "inaccessible-user", params: {} });
    const read = (user_id: number) => setup.as("member").getUserStatus({ user_id });
    const unknown = await read(1_000_000_000);
    expect(unknown.status).toBe(400);
    const ids = [setup.credentials("bot"), elsewhere.credentials("other")].map(({ user_id }) => user_id);
    for (const id of [...ids, setup.id("user_id")]) {
      expect(await read(id)).toMatchObject({ status: 400, error: (unknown as { error: object }).error });
    }
    expect((await setup.as("other").getUserStatus({ user_id: setup.id("user_id") })).status).toBe(200);
  });
});
