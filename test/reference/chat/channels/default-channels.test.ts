import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { setUpChat } from "../../../support/set-up-chat.js";

let server: ChatReference;
beforeAll(async () => {
  server = await createChatReference({ states: true, validateResponses: true });
});
afterAll(() => server.close());

describe("addDefaultChannel and removeDefaultChannel", () => {
  it.each(["addDefaultChannel", "removeDefaultChannel"] as const)("can be repeated: %s", async (operation) => {
    const setup = await setUpChat(server, { state: "channel", params: { name: "stage" } });
    for (const _ of [1, 2]) {
      expect((await setup.as("administrator")[operation]({ stream_id: setup.id("stream_id") })).status).toBe(200);
    }
  });

  it.each(["addDefaultChannel", "removeDefaultChannel"] as const)(
    "treat the channel of another organization like an unknown one: %s",
    async (operation) => {
      const setup = await setUpChat(server);
      const elsewhere = await setUpChat(server, { state: "channel", params: { name: "stage", default: true } });
      const unknown = await setup.as("owner")[operation]({ stream_id: 1_000_000_000 });
      const foreign = await setup.as("owner")[operation]({ stream_id: elsewhere.id("stream_id") });
      const error = { code: "BAD_REQUEST", msg: "Invalid channel ID" };
      expect(unknown).toMatchObject({ ok: false, status: 400, error });
      expect(foreign).toMatchObject({ ok: false, status: 400, error });
    },
  );

  it("determine the channels of new users", async () => {
    const setup = await setUpChat(server, { state: "channel", params: { name: "stage" } });
    const owner = setup.as("owner");
    await owner.addDefaultChannel({ stream_id: setup.id("stream_id") });
    const joined = await setup.add({ state: "user", params: {} });
    const request = { subscriptions: ["stage"], principals: [joined.id("user_id")] };
    expect(await owner.unsubscribe(request)).toMatchObject({ ok: true, data: { removed: ["stage"] } });
  });
});

describe("removeNavigationView", () => {
  it("removes only a view of the caller with exactly the same fragment", async () => {
    const setup = await setUpChat(server, {
      state: "navigation-view",
      params: { of: "other", fragment: "narrow/is/a b%" },
    });
    const remove = async (caller: string, fragment: string) =>
      (await setup.as(caller).removeNavigationView({ fragment })).status;
    expect(await remove("member", "narrow/is/a b%")).toBe(400);
    expect(await remove("other", "narrow/is/A b%")).toBe(400);
    expect(await remove("other", "narrow/is/a b%")).toBe(200);
    expect(await remove("other", "narrow/is/a b%")).toBe(400);
  });
});
