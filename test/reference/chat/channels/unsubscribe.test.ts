import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { setUpChat } from "../../../support/set-up-chat.js";

const server = await chatServer();
const channel = (name: string, subscribers: readonly string[] = []) => ({
  state: "channel",
  params: { name, subscribers },
});

describe("unsubscribe", () => {
  it("reports a channel once, in its stored spelling, as removed if any user was subscribed", async () => {
    const setup = await setUpChat(server, channel("props"), channel("Stage", ["member"]));
    const principals = ["other", "member"].map((caller) => setup.credentials(caller).user_id);
    const subscriptions = ["stage", "STAGE", "props"];
    const answer = await setup.as("administrator").unsubscribe({ subscriptions, principals });
    expect(answer).toMatchObject({ ok: true, data: { removed: ["Stage"], not_removed: ["props"] } });
  });

  it("refuses more than 10,000 channels", async () => {
    const setup = await setUpChat(server, channel("stage", ["member"]));
    const subscriptions = ["stage", ...Array.from({ length: 10_000 }, (_, index) => `c${index}`)];
    const answer = await setup.as("member").unsubscribe({ subscriptions });
    expect(answer).toMatchObject({ status: 400, error: { msg: expect.stringContaining("Too many channels") } });
  });
});
