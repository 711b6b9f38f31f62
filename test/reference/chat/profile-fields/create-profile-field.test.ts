import { describe, expect, it } from "vitest";
import type { CallParameters } from "../../../../src/chat/index.js";
import { chatServer } from "../../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";

const server = await chatServer();

type NewField = CallParameters<"createProfileField">;

async function create(field: NewField, setup?: ChatSetup) {
  const at = setup ?? (await setUpChat(server, { state: "organization", params: {} }));
  const answer = await at.as("administrator").createProfileField(field);
  const { id } = ((answer as { data?: { id?: number } }).data ?? {}) as { id?: number };
  const { database } = server.services;
  const row = await database
    .selectFrom("profile_field")
    .selectAll()
    .where("id", "=", id ?? 0)
    .executeTakeFirst();
  return { status: answer.status, row };
}

const account = (url_pattern: unknown, more: object = {}) => ({ subtype: "custom", url_pattern, ...more });

describe("createProfileField", () => {
  it("numbers unnamed fields, and refuses a taken name", async () => {
    const setup = await setUpChat(server, { state: "organization", params: {} });
    const names = [];
    for (let count = 0; count < 3; count += 1) names.push((await create({ field_type: 1 }, setup)).row?.name);
    expect(names).toEqual(["Short text", "Short text 2", "Short text 3"]);
    expect((await create({ field_type: 2, name: " Short text " }, setup)).status).toBe(400);
    expect((await create({ field_type: 2, name: "Short text" })).status).toBe(200);
  });

  it.each<[number, unknown, number]>([
    [7, account("https://a.example/%(username)s"), 200],
    [7, account("https://a.example/%(username)s", { name: "A" }), 400],
    [7, account("https://a.example/"), 400],
    [7, account("https://a.example/%(username)s/%(username)s"), 400],
    [7, account("javascript:alert('%(username)s')"), 400],
    [1, { anything: "x".repeat(20_000) }, 400],
  ])("answers type %i with data %j with %i", async (field_type, field_data, status) => {
    const field = { field_type, ...(field_data === undefined ? {} : { field_data }) } as NewField;
    const created = await create(field);
    expect(created.status).toBe(status);
    if (status === 200) expect(JSON.parse(created.row?.field_data ?? "")).toEqual(field_data);
  });

  it("creates at most 100 fields per organization", async () => {
    const setup = await setUpChat(server, { state: "organization", params: {} });
    const made = await Promise.all(Array.from({ length: 100 }, () => create({ field_type: 8 }, setup)));
    expect(made.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect((await create({ field_type: 8 }, setup)).status).toBe(400);
  });
});
