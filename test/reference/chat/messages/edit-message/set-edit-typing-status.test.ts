import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../../reference/chat/create-chat-reference.js";
import { setUpChat } from "../../../../support/set-up-chat.js";
import { state } from "../states.js";

let server: ChatReference;
beforeAll(async () => {
  server = await createChatReference({ states: true, validateResponses: true });
});
afterAll(() => server.close());

describe("setEditTypingStatus", () => {
  it.each([
    ["the sender", "member", 200],
    ["another participant", "other", 400],
    ["an owner who cannot read it", "owner", 400],
  ])("checks %s", async (_, caller, status) => {
    const setup = await setUpChat(server, state("message", { to: ["other"] }));
    for (const op of ["start", "stop"] as const) {
      const answer = await setup.as(caller).setEditTypingStatus({ message_id: setup.id("message_id"), op });
      expect(answer).toMatchObject({ status });
    }
  });

  it("treats a message of another organization like one that does not exist", async () => {
    const [here, elsewhere] = [await setUpChat(server), await setUpChat(server, state("message", { to: ["other"] }))];
    for (const message_id of [elsewhere.id("message_id"), 1_000_000_000]) {
      const answer = await here.as("member").setEditTypingStatus({ message_id, op: "start" });
      expect(answer).toMatchObject({ status: 400, error: { code: "BAD_REQUEST", msg: "Invalid message(s)" } });
    }
  });
});
