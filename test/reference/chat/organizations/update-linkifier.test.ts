import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { setUpChat } from "../../../support/set-up-chat.js";

let server: ChatReference;
beforeAll(async () => {
  server = await createChatReference({ states: true, validateResponses: true });
});
afterAll(() => server.close());

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
    ["owner", 200],
    ["administrator", 200],
    ["moderator", 400],
    ["member", 400],
    ["guest", 400],
    ["bot", 400],
  ])("answers %s with %i", async (caller, status) => {
    const setup = await setUpChat(server, old);
    const filter_id = setup.id("filter_id");
    expect((await setup.as(caller).updateLinkifier({ filter_id, ...ticket })).status).toBe(status);
    expect(await stored(filter_id)).toMatchObject(status === 200 ? ticket : old.params);
  });

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

  it("treats a linkifier of another organization like an unknown one", async () => {
    const elsewhere = await setUpChat(server, old);
    const setup = await setUpChat(server, old);
    const update = (filter_id: number) => setup.as("owner").updateLinkifier({ filter_id, ...ticket });
    const unknown = await update(1_000_000_000);
    const theirs = await update(elsewhere.id("filter_id"));
    expect(theirs).toMatchObject({ status: 400, error: (unknown as { error: object }).error });
    expect(await stored(elsewhere.id("filter_id"))).toMatchObject(old.params);
  });
});
