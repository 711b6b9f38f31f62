import { describe, expect, it } from "vitest";
import type { User } from "../../../../reference/chat/storage/tables.js";
import { chatServer } from "../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const server = await chatServer();
const old = await chatServer({ featureLevel: 105 });

const fresh = { state: "organization", params: {} };
const changeable = { state: "organization", params: { settings: { can_change_user_emails: ["owner"] } } };

async function userOf(setup: ChatSetup, caller: string, of = server): Promise<User> {
  const { database } = of.services;
  const { user_id: id } = setup.credentials(caller);
  const row = await database.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) throw new Error(`there is no user ${id}`);
  return row;
}

async function valuesOf(setup: ChatSetup, caller: string): Promise<Record<number, string>> {
  const { database } = server.services;
  const of = database.selectFrom("profile_value").selectAll();
  const rows = await of.where("user_id", "=", setup.credentials(caller).user_id).execute();
  return Object.fromEntries(rows.map(({ field_id, value }) => [field_id, value]));
}

describe("full_name", () => {
  it.each([
    ["x".repeat(100), "x".repeat(100)],
    ["\u{1F480}".repeat(100), "\u{1F480}".repeat(100)],
    ["x".repeat(101), undefined],
  ])("is read from %j", async (full_name, stored) => {
    const setup = await setUpChat(server, fresh);
    const { email } = setup.credentials("other");
    const { status } = await setup.as("administrator").updateUserByEmail({ email, full_name });
    expect(status).toBe(stored === undefined ? 400 : 200);
    expect((await userOf(setup, "other")).full_name).toBe(stored ?? "Otto Other");
  });

  it.each([
    ['"Ada \\"the first\\""', 'Ada "the first"'],
    ["42", undefined],
  ])("is JSON before level 106: %s", async (full_name, stored) => {
    const setup = await setUpChat(old, fresh);
    const { email } = setup.credentials("other");
    const { status } = await setup.as("administrator").updateUserByEmail({ email, full_name });
    expect(status).toBe(stored === undefined ? 400 : 200);
    expect((await userOf(setup, "other", old)).full_name).toBe(stored ?? "Otto Other");
  });
});

describe("role", () => {
  it("does not count deactivated owners, and refuses to make a bot an owner", async () => {
    const setup = await setUpChat(server, fresh);
    const make = (caller: string, role: 100 | 400) =>
      setup.as("owner").updateUserByEmail({ email: setup.credentials(caller).email, role });
    expect((await make("bot", 100)).status).toBe(400);
    expect((await make("deactivated", 100)).status).toBe(200);
    expect((await make("owner", 400)).status).toBe(400);
  });
});

describe("new_email", () => {
  const ofMember = (setup: ChatSetup) => setup.credentials("member").email;
  it.each<[string, (setup: ChatSetup) => string, number]>([
    ["a dummy address in capitals", (setup) => ofMember(setup).replace("member", "USER7").toUpperCase(), 400],
    ["one that only resembles a dummy address", (setup) => ofMember(setup).replace("member", "user007"), 200],
    ["too long a name", () => `${"a".repeat(65)}@example.org`, 400],
    ["too long an address", () => `ada@${"a.".repeat(125)}org`, 400],
  ])("is checked: %s", async (_, newEmail, status) => {
    const setup = await setUpChat(server, changeable);
    const { email } = setup.credentials("other");
    const new_email = newEmail(setup);
    expect((await setup.as("owner").updateUserByEmail({ email, new_email })).status).toBe(status);
    expect((await userOf(setup, "other")).email).toBe(status === 200 ? new_email : email);
  });
});

describe("profile_data", () => {
  it.each([
    [2, "x".repeat(500), 200],
    [2, "x".repeat(501), 400],
    [3, "2", 400],
    [4, "2023-02-29", 400],
    [5, "javascript:alert(1)", 400],
    [6, "1", 400],
    [6, "[1000000000]", 400],
  ])("checks a value of type %i: %s", async (field_type, value, status) => {
    const setup = await setUpChat(server, { state: "profile-field", params: { field_type } });
    const id = setup.id("profile_field_id");
    const { email } = setup.credentials("other");
    const answer = await setup.as("administrator").updateUserByEmail({ email, profile_data: [{ id, value }] });
    expect(answer.status).toBe(status);
    expect(await valuesOf(setup, "other")).toEqual(status === 200 ? { [id]: value } : {});
  });

  it.each([3, 4, 5, 6])("accepts the value that the state returns for type %i", async (field_type) => {
    const setup = await setUpChat(server, { state: "profile-field", params: { field_type } });
    const entry = setup.values.profile_entry as { id: number; value: string };
    const { email } = setup.credentials("other");
    const update = (value: string) =>
      setup.as("administrator").updateUserByEmail({ email, profile_data: [{ id: entry.id, value }] });
    expect((await update(entry.value)).status).toBe(200);
    expect(await valuesOf(setup, "other")).toEqual({ [entry.id]: entry.value });
    expect((await update("")).status).toBe(200);
    expect(await valuesOf(setup, "other")).toEqual({});
  });

  it("rejects a deactivated user as a value of type 6", async () => {
    const setup = await setUpChat(server, { state: "profile-field", params: { field_type: 6 } });
    const profile_data = [
      { id: setup.id("profile_field_id"), value: JSON.stringify([setup.credentials("deactivated").user_id]) },
    ];
    const { email } = setup.credentials("other");
    expect((await setup.as("administrator").updateUserByEmail({ email, profile_data })).status).toBe(400);
  });
});

describe("the target user", () => {
  it("is not found by a dummy address with leading zeros", async () => {
    const settings = { real_emails_visible_to: ["owner"] };
    const setup = await setUpChat(
      server,
      { state: "organization", params: { settings } },
      { state: "user", params: {} },
    );
    const rename = (email: string) => setup.as("administrator").updateUserByEmail({ email, full_name: "Ada" });
    const dummy = String(setup.values.dummy_email);
    expect((await rename(dummy.replace("user", "user00"))).status).toBe(400);
    expect((await rename(dummy.toUpperCase())).status).toBe(200);
  });
});
