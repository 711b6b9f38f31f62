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

async function stored(id: number) {
  const { database } = server.services;
  const row = database.selectFrom("linkifier").select(["pattern", "url_template"]).where("id", "=", id);
  return await row.executeTakeFirst();
}

describe("updateLinkifier", () => {
  it.each([
    ["(a+", "https://example.com"],
    ["(?=a)b", "https://example.com"],
    ["(?P<a>a)\\1", "https://example.com/{a}"],
    ["(?P<a>a)", "https://example.com/"],
    ["a", "https://example.com/{a}"],
    ["a", "https://example.com/{a"],
    ["", "https://example.com"],
    ["(?P<a>a{1000}){1000}", "https://example.com/{a}"],
  ])("refuses the pattern %s with the template %s", async (pattern, url_template) => {
    const setup = await setUpChat(server, old);
    const filter_id = setup.id("filter_id");
    const answer = await setup.as("owner").updateLinkifier({ filter_id, pattern, url_template });
    expect(answer).toMatchObject({ status: 400, error: { code: "BAD_REQUEST" } });
    expect(await stored(filter_id)).toMatchObject(old.params);
  });

  it("refuses the pattern of another linkifier of the organization", async () => {
    const setup = await setUpChat(server, linkifier(ticket.pattern, ticket.url_template), old);
    const filter_id = setup.id("filter_id");
    expect((await setup.as("owner").updateLinkifier({ filter_id, ...ticket })).status).toBe(400);
    expect((await setup.as("owner").updateLinkifier({ filter_id, ...old.params })).status).toBe(200);
  });
});
