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

const choice = (text: unknown, order: unknown = "1") => ({ text, order });
const account = (url_pattern: unknown, more: object = {}) => ({ subtype: "custom", url_pattern, ...more });

describe("createProfileField", () => {
  it("uses defaults", async () => {
    const { row } = await create({ field_type: 4 });
    expect(row).toMatchObject({
      name: "Date",
      hint: "",
      field_type: 4,
      field_data: "{}",
      display_in_profile_summary: false,
      required: false,
      editable_by_user: true,
    });
  });

  it("numbers unnamed fields, and refuses a taken name", async () => {
    const setup = await setUpChat(server, { state: "organization", params: {} });
    const names = [];
    for (let count = 0; count < 3; count += 1) names.push((await create({ field_type: 1 }, setup)).row?.name);
    expect(names).toEqual(["Short text", "Short text 2", "Short text 3"]);
    expect((await create({ field_type: 2, name: " Short text " }, setup)).status).toBe(400);
    expect((await create({ field_type: 2, name: "Short text" })).status).toBe(200);
  });

  it.each<[Omit<NewField, "field_type">, number]>([
    [{ name: "\u{1F480}".repeat(40) }, 200],
    [{ name: "x".repeat(41) }, 400],
    [{ name: "  " }, 400],
    [{ hint: "\u{1F480}".repeat(80) }, 200],
    [{ hint: "x".repeat(81) }, 400],
  ])("answers %j with %i", async (field, status) => {
    expect((await create({ field_type: 1, ...field })).status).toBe(status);
  });

  it.each<[number, unknown, number]>([
    [3, undefined, 400],
    [3, {}, 400],
    [3, { a: choice("A") }, 200],
    [3, { a: choice("A"), b: choice("B", "") }, 200],
    [3, { a: choice("A"), b: choice("A") }, 400],
    [3, { a: choice(" ") }, 400],
    [3, { " ": choice("A") }, 400],
    [3, { a: choice("A", 1) }, 400],
    [3, { a: { text: "A" } }, 400],
    [3, { a: null }, 400],
    [3, { a: choice("x".repeat(101)) }, 400],
    [3, Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, choice(`${index}`)])), 400],
    [7, undefined, 400],
    [7, account("https://a.example/%(username)s"), 200],
    [7, account("https://a.example/%(username)s", { name: "A" }), 400],
    [7, account("https://a.example/"), 400],
    [7, account("https://a.example/%(username)s/%(username)s"), 400],
    [7, account("javascript:alert('%(username)s')"), 400],
    [7, account(7), 400],
    [7, { subtype: "other", url_pattern: "https://a.example/%(username)s" }, 400],
    [1, { anything: "x".repeat(20_000) }, 400],
    [1, { anything: "x" }, 200],
  ])("answers type %i with data %j with %i", async (field_type, field_data, status) => {
    const field = { field_type, ...(field_data === undefined ? {} : { field_data }) } as NewField;
    const created = await create(field);
    expect(created.status).toBe(status);
    if (status === 200 && field_type !== 1) expect(JSON.parse(created.row?.field_data ?? "")).toEqual(field_data);
    if (status === 200 && field_type === 1) expect(created.row?.field_data).toBe("{}");
  });

  it("creates at most 100 fields per organization", async () => {
    const setup = await setUpChat(server, { state: "organization", params: {} });
    const made = await Promise.all(Array.from({ length: 100 }, () => create({ field_type: 8 }, setup)));
    expect(made.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect((await create({ field_type: 8 }, setup)).status).toBe(400);
  });
});
