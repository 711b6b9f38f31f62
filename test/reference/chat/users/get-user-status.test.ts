import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { setUpChat } from "../../../support/set-up-chat.js";

const server = await chatServer();

describe("getUserStatus", () => {
  it("omits an empty text", async () => {
    const setup = await setUpChat(server, { state: "user-status", params: { status_text: "" } });
    const answer = await setup.as("guest").getUserStatus({ user_id: setup.id("user_id") });
    expect((answer as { data: { status: object } }).data.status).toEqual({});
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
});
