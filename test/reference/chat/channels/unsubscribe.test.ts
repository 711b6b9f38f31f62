import { describe, expect, it } from "vitest";
import { serversOfLevels } from "../../../support/servers-of-levels.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const allCallers = ["owner", "administrator", "moderator", "member", "other", "guest", "bot"];
const channel = (name: string, params: object = {}) => ({ state: "channel", params: { name, ...params } });

const at = serversOfLevels(8, 207, 415);

/** The names of the callers who are subscribed to the most recent channel. */
async function subscribers(setup: ChatSetup, level = 415): Promise<string[]> {
  const { database } = at(level).services;
  const rows = await database
    .selectFrom("subscription")
    .select("user_id")
    .where("channel_id", "=", setup.id("stream_id"))
    .execute();
  const ids = new Set(rows.map(({ user_id }) => user_id));
  return allCallers.filter((caller) => ids.has(setup.credentials(caller).user_id));
}

describe("unsubscribe permissions", () => {
  const open = channel("stage", { subscribers: allCallers });
  const hidden = channel("cellar", { subscribers: ["other", "bot"], private: true });
  const hiddenWithMember = channel("cellar", { subscribers: ["other", "bot", "member"], private: true });
  const forMembers = channel("stage", { subscribers: allCallers, can_remove_subscribers_group: ["member"] });

  it.each([
    ["owner", "administrator", open, 200],
    ["administrator", "owner", open, 200],
    ["administrator", "other", hidden, 200],
    ["moderator", "other", open, 400],
    ["member", "other", open, 400],
    ["member", "member", open, 200],
    ["member", "bot", open, 200],
    ["other", "bot", open, 400],
    ["member", "bot", hiddenWithMember, 200],
    ["member", "bot", hidden, 400],
    ["bot", "member", open, 400],
    ["member", "other", forMembers, 200],
    ["moderator", "other", forMembers, 400],
    ["guest", "other", forMembers, 400],
  ] as const)("apply to %s removing %s: %#", async (caller, principal, given, status) => {
    const setup = await setUpChat(at(415), given);
    const before = await subscribers(setup);
    const principals = [setup.credentials(principal).user_id];
    const answer = await setup.as(caller).unsubscribe({ subscriptions: [given.params.name], principals });
    expect(answer.status).toBe(status);
    expect(await subscribers(setup)).toEqual(status === 200 ? before.filter((name) => name !== principal) : before);
  });
});

describe("unsubscribe from channels", () => {
  it("treats private channels and channels of other organizations like unknown ones", async () => {
    const setup = await setUpChat(at(415), channel("cellar", { subscribers: ["other"], private: true }));
    const elsewhere = await setUpChat(at(415), channel("attic", { subscribers: ["member"] }));
    for (const [name, asking] of [
      ["cellar", setup],
      ["attic", setup],
      ["cellar", elsewhere],
    ] as const) {
      const answer = await asking.as("member").unsubscribe({ subscriptions: [name] });
      const error = { code: "STREAM_DOES_NOT_EXIST", stream: name, msg: `Channel '${name}' does not exist` };
      expect(answer).toMatchObject({ ok: false, status: 400, error });
    }
  });

  it("changes nothing if one of several channels fails", async () => {
    const setup = await setUpChat(at(415), channel("stage", { subscribers: allCallers }));
    const member = setup.as("member");
    expect((await member.unsubscribe({ subscriptions: ["stage", "nowhere"] })).status).toBe(400);
    const principals = ["member", "other"].map((caller) => setup.credentials(caller).user_id);
    expect((await member.unsubscribe({ subscriptions: ["stage"], principals })).status).toBe(400);
    expect(await subscribers(setup)).toEqual(allCallers);
  });

  it("reports a channel once, in its stored spelling, as removed if any user was subscribed", async () => {
    const setup = await setUpChat(at(415), channel("props"), channel("Stage", { subscribers: ["member"] }));
    const principals = ["other", "member"].map((caller) => setup.credentials(caller).user_id);
    const subscriptions = ["stage", "STAGE", "props"];
    const answer = await setup.as("administrator").unsubscribe({ subscriptions, principals });
    expect(answer).toMatchObject({ ok: true, data: { removed: ["Stage"], not_removed: ["props"] } });
  });

  it.each([
    [[], undefined, 200],
    [["stage"], [], 200],
    [Array.from({ length: 10_001 }, (_, index) => `c${index}`), undefined, 400],
  ])("bounds the number of channels and users: %#", async (subscriptions, principals, status) => {
    const setup = await setUpChat(at(415), channel("stage", { subscribers: ["member"] }));
    const answer = await setup.as("member").unsubscribe({ subscriptions, ...(principals ? { principals } : {}) });
    expect(answer.status).toBe(status);
    expect(await subscribers(setup)).toEqual(["member"]);
  });
});

describe("unsubscribe with principals", () => {
  const stage = channel("stage", { subscribers: ["other"] });

  it("finds a user with a hidden address only by the dummy address", async () => {
    const given = channel("stage", { subscribers: allCallers, can_remove_subscribers_group: ["member", "moderator"] });
    const settings = { state: "organization", params: { settings: { real_emails_visible_to: ["moderator"] } } };
    const setup = await setUpChat(at(415), settings, given);
    const { email, user_id } = setup.credentials("other");
    const dummy = `user${user_id}@${email.split("@")[1]}`;
    const remove = async (caller: string, address: string) =>
      (await setup.as(caller).unsubscribe({ subscriptions: ["stage"], principals: [address] })).status;
    expect(await remove("member", email)).toBe(400);
    expect(await remove("moderator", dummy)).toBe(400);
    expect(await remove("member", dummy.replace("user", "user00"))).toBe(400);
    expect(await subscribers(setup)).toContain("other");
    expect(await remove("member", dummy.toUpperCase())).toBe(200);
    expect(await remove("moderator", email.toUpperCase())).toBe(200);
    expect(await remove("member", setup.credentials("member").email)).toBe(200);
    expect(await subscribers(setup)).toEqual(allCallers.filter((name) => name !== "other" && name !== "member"));
  });

  it.each([
    [415, 400, "BAD_REQUEST"],
    [207, 403, "UNAUTHORIZED_PRINCIPAL"],
  ])("refuses a bad principal at level %i with %i", async (level, status, code) => {
    const setup = await setUpChat(at(level), stage);
    const elsewhere = await setUpChat(at(level));
    const bad = [elsewhere.credentials("other").user_id, setup.credentials("deactivated").user_id, 1_000_000_000];
    for (const id of bad) {
      const principals = [setup.credentials("other").user_id, id];
      const answer = await setup.as("administrator").unsubscribe({ subscriptions: ["stage"], principals });
      expect(answer).toMatchObject({ ok: false, status, error: { code } });
    }
    expect(await subscribers(setup, level)).toEqual(["other"]);
  });

  it("finds inaccessible users only for administrators", async () => {
    const setup = await setUpChat(at(415), channel("stage", { can_remove_subscribers_group: ["member"] }), {
      state: "inaccessible-user",
      params: { to: "member" },
    });
    const request = { subscriptions: ["stage"], principals: [setup.id("user_id")] };
    expect(await setup.as("member").unsubscribe(request)).toMatchObject({ ok: false, error: { msg: "No such user" } });
    expect((await setup.as("administrator").unsubscribe(request)).status).toBe(200);
  });

  it("refuses ids below level 9", async () => {
    const setup = await setUpChat(at(8), stage);
    const { email, user_id } = setup.credentials("other");
    const remove = (principals: number[] | string[]) =>
      setup.as("administrator").unsubscribe({ subscriptions: ["stage"], principals });
    expect((await remove([user_id])).status).toBe(400);
    expect((await remove([email])).status).toBe(200);
  });
});
