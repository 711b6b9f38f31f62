import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallerName } from "../../../../generated/chat/states.js";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import type { OperationId } from "../../../../src/chat/operation-types.js";
import { type Answer, answerOf } from "../../../support/answer-of.js";
import { dumpDatabase } from "../../../support/dump-database.js";
import { names, type PopulatedOrganization, populateOrganization } from "../../../support/populated-organization.js";
import { type Asking, administeredChannels, type IdKinds, idUses } from "./id-uses.js";

let server: ChatReference;
let own: PopulatedOrganization;
let foreign: PopulatedOrganization;
/** Ids and names of the other organization. */
let theirs: IdKinds;

/** Well-formed ids and names that do not exist. */
const missing: IdKinds = {
  message: 1_999_999_999,
  channel: 1_999_999_998,
  channelName: "Attic",
  user: 1_999_999_997,
  email: "nobody@nowhere.example",
  group: 1_999_999_996,
  linkifier: 1_999_999_995,
  profileField: 1_999_999_994,
  attachment: 1_999_999_993,
  uploadUrl: "/user_uploads/org-000000000000/AAAAAAAAAAAAAAAAAAAAAAAA/plan.txt",
  scheduledMessage: 1_999_999_992,
  view: "narrow/is/absent",
  androidToken: "absent:APA91b",
};

beforeAll(async () => {
  server = await createChatReference({ states: true, validateResponses: true });
  own = await populateOrganization(server);
  foreign = await populateOrganization(server);
  const { values } = await foreign.add(
    { state: "channel", params: { name: "Theirs", subscribers: ["other"] } },
    { state: "navigation-view", params: { of: "member", fragment: "narrow/is/theirs" } },
  );
  const { has } = foreign;
  theirs = {
    message: has.publicMessage,
    channel: Number(values.stream_id),
    channelName: "Theirs",
    user: has.user,
    email: has.userEmail,
    group: has.group,
    linkifier: has.linkifier,
    profileField: has.profileField,
    attachment: has.attachment,
    uploadUrl: has.attachmentUrl,
    scheduledMessage: has.scheduledMessage,
    view: "narrow/is/theirs",
    androidToken: has.androidToken,
  };
});
afterAll(() => server.close());

type Ask = (asking: Asking, value: never) => Promise<Answer>;
type Row = readonly [operationId: OperationId, place: string, kind: keyof IdKinds, ask: Ask];

const rows = (Object.keys(idUses) as (keyof IdKinds)[]).flatMap((kind) =>
  idUses[kind].map(([operationId, place, ask]): Row => [operationId, place, kind, ask as Ask]),
);
const administered = administeredChannels.map(([id, place, ask]): Row => [id, place, "channel", ask as Ask]);

describe("a server with several organizations", () => {
  it.each([...rows, ...administered])(
    "hides from %s %s a %s of another organization",
    async (_operationId, _place, kind, ask) => {
      for (const caller of ["owner", "administrator", "moderator", "member", "other", "guest", "bot"] as const) {
        await expectSameAnswer(caller, ask, theirs[kind], missing[kind]);
      }
    },
  );

  it("does not find a user of another organization by the dummy address", async () => {
    const host = (organization: PopulatedOrganization) => organization.credentials("owner").email.split("@")[1];
    const hostless = (email: string) => email.split("@")[0];
    for (const email of [
      `user${foreign.has.user}@${host(foreign)}`,
      `user${foreign.has.user}@${host(own)}`,
      `${hostless(foreign.has.userEmail)}@${host(own)}`,
      foreign.credentials("owner").email,
    ]) {
      for (const [, , ask] of idUses.email) await expectSameAnswer("owner", ask as Ask, email, missing.email);
    }
  });

  it.each<[string, (has: PopulatedOrganization) => string, string]>([
    ["a user", ({ has }) => `@**Ulla User|${has.user}**`, `@**Ulla User|${missing.user}**`],
    ["a channel", () => "#**Theirs**", "#**Attic**"],
    ["an upload", ({ has }) => `[plan](${has.attachmentUrl})`, `[plan](${missing.uploadUrl})`],
  ])("does not resolve mentions of %s of another organization", async (_, contentOf, absent) => {
    const chat = own.as("other");
    const message_id = own.has.publicMessage;
    const before = await rowsOf(foreign);
    const rendered = async (content: string) => {
      const edited = await chat.editMessage({ message_id, content });
      expect(edited).toMatchObject({ ok: true, data: { detached_uploads: [] } });
      const { body } = await answerOf(chat, "getMessages", { message_ids: [message_id] });
      return (body.messages as { content: string; flags: string[] }[]).map((one) => one.content);
    };
    const content = contentOf(foreign);
    const [mentioned] = await rendered(content);
    const [unknown] = await rendered(absent);
    const echo = (html: string | undefined) =>
      html?.replaceAll(/org-[0-9a-f]{12}\/[^/]+\//g, "").replaceAll(/Theirs|Attic|\b\d+\b/g, "…");
    expect(echo(mentioned)).toBe(echo(unknown));
    // The file of the other organization stays in place, whether linked or not.
    expect(await rowsOf(foreign)).toEqual(before);
    expect((await fetchAs("other")(foreign.has.attachmentUrl)).status).toBe(
      (await fetchAs("other")(missing.uploadUrl)).status,
    );
  });

  it("serves the file to its uploader, as a check of the setup", async () => {
    const { email, api_key: key } = own.credentials("other");
    const Authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
    const response = await fetch(`${server.url}${own.has.attachmentUrl}`, { headers: { Authorization } });
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: "Notes" });
  });

  it("refuses to continue a resumable upload from another organization", async () => {
    const { endpoint, headers } = foreign.as("member").tus();
    const tus = { "Tus-Resumable": "1.0.0" };
    const created = await fetch(endpoint, { method: "POST", headers: { ...headers, ...tus, "Upload-Length": "10" } });
    expect(created.status).toBe(201);
    const path = new URL(created.headers.get("Location") ?? "", endpoint).pathname;
    const unknown = path.replace(/[^/]{4}$/, "0000");
    for (const [method, extra] of [
      ["HEAD", {}],
      ["PATCH", { "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream" }],
      ["DELETE", {}],
    ] as const) {
      const init = { method, headers: { ...tus, ...extra } };
      expect(await fetchAs("member")(path, init), method).toEqual(await fetchAs("member")(unknown, init));
    }
    expect((await fetch(new URL(path, endpoint), { method: "HEAD", headers: { ...headers, ...tus } })).status).toBe(
      200,
    );
  });
});

describe("a server with data that the caller cannot access", () => {
  const nobodyElse = ["owner", "administrator", "moderator", "member", "guest", "bot"] as const;
  const hidden: readonly (readonly [
    string,
    keyof IdKinds,
    (has: PopulatedOrganization) => number | string,
    readonly CallerName[],
  ])[] = [
    ["a message in a private channel", "message", ({ has }) => has.privateMessage, nobodyElse],
    ["a direct message", "message", ({ has }) => has.directMessage, nobodyElse.filter((one) => one !== "moderator")],
    ["a private channel", "channel", ({ has }) => has.privateChannel, nobodyElse],
    // Administrators may unsubscribe users from every channel, so they may know that it exists.
    ["a private channel", "channelName", () => names.privateChannel, ["moderator", "member", "guest", "bot"]],
    ["a scheduled message", "scheduledMessage", ({ has }) => has.scheduledMessage, nobodyElse],
    ["a navigation view", "view", () => names.view, nobodyElse],
    ["an upload that no message links", "attachment", ({ has }) => has.attachment, nobodyElse],
    ["an upload that no message links", "uploadUrl", ({ has }) => has.attachmentUrl, nobodyElse],
    ["an Android token", "androidToken", ({ has }) => has.androidToken, nobodyElse],
  ];

  it.each(
    hidden.flatMap(([what, kind, hiddenIn, callers]) =>
      idUses[kind].map(
        ([operationId, place, ask]) => [what, operationId, place, kind, ask as Ask, hiddenIn, callers] as const,
      ),
    ),
  )("hides %s from %s %s", async (_what, _operationId, _place, kind, ask, hiddenIn, callers) => {
    for (const caller of callers) await expectSameAnswer(caller, ask, hiddenIn(own), missing[kind]);
  });

  it("does not grant access to a file of another user by linking it", async () => {
    const { id } = await own.add({ state: "message", params: { channel: names.publicChannel, topic: names.topic } });
    const edit = { message_id: id("message_id"), content: `[plan](${own.has.attachmentUrl})` };
    expect((await own.as("member").editMessage(edit)).ok).toBe(true);
    for (const caller of ["member", "guest"] as const) {
      expect(await fetchAs(caller)(own.has.attachmentUrl)).toEqual(await fetchAs(caller)(missing.uploadUrl));
    }
  });

  it.each(idUses.user)("hides an inaccessible user in %s %s", async (_operationId, _place, ask) => {
    const { values } = await own.add({ state: "inaccessible-user", params: { to: "member" } });
    await expectSameAnswer("member", ask as Ask, Number(values.user_id), missing.user);
  });

  it.each(idUses.message)(
    "hides a message from before the caller joined a channel with protected history, in %s %s",
    async (_operationId, _place, ask) => {
      const name = `Protected ${Math.random()}`;
      const { values } = await own.add(
        { state: "channel", params: { name, private: true, history_protected: true, subscribers: ["other"] } },
        { state: "message", params: { from: "other", channel: name, topic: "early", content: "Early" } },
        { state: "subscription", params: { name, subscribers: ["member", "administrator", "guest"] } },
      );
      for (const caller of ["member", "administrator", "guest"] as const) {
        await expectSameAnswer(caller, ask as Ask, Number(values.message_id), missing.message);
      }
    },
  );

  it.each(idUses.message)(
    "hides a message of a public channel from a guest outside it, in %s %s",
    async (_operationId, _place, ask) => {
      const name = `Public ${Math.random()}`;
      const { values } = await own.add(
        { state: "channel", params: { name, subscribers: ["other"] } },
        { state: "message", params: { from: "other", channel: name, topic: "open", content: "Open" } },
      );
      await expectSameAnswer("guest", ask as Ask, Number(values.message_id), missing.message);
    },
  );
});

/** Checks that a hidden record gets the same response as a missing one, and that neither request changes anything. */
async function expectSameAnswer(caller: CallerName, ask: Ask, value: number | string, absent: number | string) {
  const asking: Asking = {
    call: (operationId, parameters) => answerOf(own.as(caller), operationId, parameters),
    fetch: fetchAs(caller),
    own: own.has,
  };
  const before = await dumpDatabase(server.services.database);
  const answer = await ask(asking, value as never);
  const forNothing = await ask(asking, absent as never);
  expect(withoutEcho(answer, value), caller).toEqual(withoutEcho(forNothing, absent));
  expect(await dumpDatabase(server.services.database), `${caller}: nothing changes`).toEqual(before);
}

/** A response without the requested id or name, which may appear in its message, anchor and channel. */
function withoutEcho({ status, body }: Answer, value: number | string): Answer {
  const echoed = Object.entries(body).map(([name, field]) => {
    if (name === "anchor" || name === "stream") return [name, field === value ? "…" : field];
    return [name, name === "msg" && typeof field === "string" ? field.replaceAll(String(value), "…") : field];
  });
  return { status, body: Object.fromEntries(echoed) };
}

function fetchAs(caller: CallerName): Asking["fetch"] {
  const { email, api_key: key } = own.credentials(caller);
  return async (path, init = {}) => {
    const Authorization = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
    const response = await fetch(`${server.url}${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string> | undefined), Authorization },
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? {} : (JSON.parse(text) as Answer["body"]) };
  };
}

/** An attachment of an organization with its links, and the messages that one of its users has received. */
async function rowsOf(organization: PopulatedOrganization): Promise<unknown> {
  const { database } = server.services;

  const id = organization.has.attachment;
  return [
    await database.selectFrom("attachment").selectAll().where("id", "=", id).execute(),
    await database.selectFrom("attachment_message").selectAll().where("attachment_id", "=", id).execute(),
    await database.selectFrom("user_message").selectAll().where("user_id", "=", organization.has.user).execute(),
  ];
}
