import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { decodeBase64 } from "../../../reference/chat/push-devices.js";
import { chatServer } from "../../support/chat-server.js";
import { type ChatSetup, setUpChat } from "../../support/set-up-chat.js";

const server = await chatServer();

describe("decodeBase64", () => {
  it.each([
    ["", 0],
    ["AA==", 1],
    ["AB==", undefined],
    ["AA", undefined],
    ["AA=", undefined],
    ["AA==\n", undefined],
    ["_-8=", undefined],
    ["/+8=", 2],
    ["A===", undefined],
  ])("decodes %j", (text, length) => expect(decodeBase64(text)?.length).toBe(length));
});

describe("registerPushDevice", () => {
  const valid = {
    token_kind: "android",
    push_account_id: 7,
    push_public_key: randomBytes(32).toString("base64"),
    encrypted_push_registration: randomBytes(60).toString("base64"),
  } as const;

  it.each([
    [{}, true, undefined],
    [{ push_public_key: randomBytes(31).toString("base64") }, true, "BAD_REQUEST"],
    [{ push_public_key: randomBytes(32).toString("base64url") }, true, "BAD_REQUEST"],
    [{ push_public_key: "" }, true, "BAD_REQUEST"],
    [{ encrypted_push_registration: "" }, true, "BAD_REQUEST"],
    [{ encrypted_push_registration: "A".repeat(4096) }, true, undefined],
    [{ encrypted_push_registration: "A".repeat(4100) }, true, "BAD_REQUEST"],
    [{ push_account_id: 2 ** 53 }, true, "BAD_REQUEST"],
    [{ bouncer_public_key: randomBytes(32).toString("base64") }, true, "BAD_REQUEST"],
    [{}, false, "PUSH_SERVICE_NOT_CONFIGURED"],
    [{ push_public_key: "?" }, false, "BAD_REQUEST"],
    [{ bouncer_public_key: "unknown" }, false, "PUSH_SERVICE_NOT_CONFIGURED"],
  ])("answers %j with push service %j with %s", async (changed, push_service, code) => {
    const setup = await setUpChat(server, { state: "organization", params: { settings: { push_service } } });
    const key = setup.values.bouncer_public_key;
    const bouncer_public_key = typeof key === "string" ? key : "none";
    const answer = await setup.as("member").registerPushDevice({ ...valid, bouncer_public_key, ...changed });
    expect(answer).toMatchObject(code === undefined ? { ok: true } : { ok: false, status: 400, error: { code } });
  });

  it("replaces the values when an account registers again", async () => {
    const setup = await setUpChat(server, { state: "organization", params: {} });
    const bouncer_public_key = String(setup.values.bouncer_public_key);
    const key = randomBytes(32).toString("base64");
    const member = setup.as("member");
    await member.registerPushDevice({ ...valid, bouncer_public_key });
    await member.registerPushDevice({ ...valid, bouncer_public_key, token_kind: "ios", push_public_key: key });
    await setup.as("other").registerPushDevice({ ...valid, bouncer_public_key });
    const { database } = server.services;
    const of = setup.credentials("member").user_id;
    const rows = await database.selectFrom("push_device").selectAll().where("user_id", "=", of).execute();
    expect(rows).toMatchObject([{ push_account_id: 7, token_kind: "ios", push_public_key: key }]);
  });
});

describe("the maximum number of devices", () => {
  const number = (index: number) => index.toString(16).padStart(8, "0");

  it.each<[string, (setup: ChatSetup, caller: string, index: number) => Promise<{ status: number }>]>([
    [
      "registerPushDevice",
      (setup, caller, push_account_id) =>
        setup.as(caller).registerPushDevice({
          push_account_id,
          token_kind: "ios",
          push_public_key: randomBytes(32).toString("base64"),
          encrypted_push_registration: "AAAA",
          bouncer_public_key: String(setup.values.bouncer_public_key),
        }),
    ],
    [
      "addIosDeviceToken",
      (setup, caller, index) => setup.as(caller).addIosDeviceToken({ token: number(index), appid: "com.example.chat" }),
    ],
  ])("is 100 for %s, and existing ones can be changed", async (_, add) => {
    const setup = await setUpChat(server, { state: "organization", params: {} });
    const all = Array.from({ length: 100 }, (_, index) => add(setup, "member", index));
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await add(setup, "member", 100)).toMatchObject({ status: 400, error: { code: "BAD_REQUEST" } });
    expect(await add(setup, "member", 99)).toMatchObject({ status: 200 });
    expect(await add(setup, "other", 100)).toMatchObject({ status: 200 });
  });
});

describe("device tokens", () => {
  it.each([
    ["c0ffee", "com.example.chat", true],
    ["C0FFEE", "com.example.chat", true],
    ["c0ffe", "com.example.chat", false],
    ["aa".repeat(2048), "com.example.chat", true],
    ["aa".repeat(2049), "com.example.chat", false],
    ["c0ffee", "", false],
    ["c0ffee", "com.example/chat", false],
    ["c0ffee", "a".repeat(256), false],
  ])("are checked by addIosDeviceToken: %#", async (token, appid, ok) => {
    const setup = await setUpChat(server);
    for (const _ of ["first", "again"]) {
      expect((await setup.as("member").addIosDeviceToken({ token, appid })).ok).toBe(ok);
    }
  });
});
