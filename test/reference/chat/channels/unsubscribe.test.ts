import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { setUpChat } from "../../../support/set-up-chat.js";

const server = await chatServer();
const channel = (name: string, subscribers: readonly string[] = []) => ({
  state: "channel",
  params: { name, subscribers },
});

describe("unsubscribe", () => {
  it("refuses more than 10,000 channels", async () => {
    const setup = await setUpChat(server, channel("stage", ["member"]));
    const subscriptions = ["stage", ...Array.from({ length: 10_000 }, (_, index) => `c${index}`)];
    const answer = await setup.as("member").unsubscribe({ subscriptions });
    expect(answer).toMatchObject({ status: 400, error: { msg: expect.stringContaining("Too many channels") } });
  });
});
