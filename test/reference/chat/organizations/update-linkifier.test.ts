import { describe, expect, it } from "vitest";
import { chatServer } from "../../../support/chat-server.js";
import { setUpChat } from "../../../support/set-up-chat.js";

const server = await chatServer();

const ticket = { pattern: "#(?P<id>[0-9]+)", url_template: "https://tickets.example.com/{id}" };
const linkifier = (pattern: string, url_template: string) => ({
  state: "linkifier",
  params: { pattern, url_template },
});
const old = linkifier("old-(?P<number>[0-9]+)", "https://old.example.com/{number}");

describe("updateLinkifier", () => {
  it("refuses the pattern of another linkifier of the organization", async () => {
    const setup = await setUpChat(server, linkifier(ticket.pattern, ticket.url_template), old);
    const filter_id = setup.id("filter_id");
    expect((await setup.as("owner").updateLinkifier({ filter_id, ...ticket })).status).toBe(400);
    expect((await setup.as("owner").updateLinkifier({ filter_id, ...old.params })).status).toBe(200);
  });
});
