import { readdirSync } from "node:fs";
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { removeUnusedUploads } from "../../../../reference/chat/uploads/housekeeping.js";
import { chatServer } from "../../../support/chat-server.js";
import { executeSql } from "../../../support/execute-sql.js";
import { temporaryFolder } from "../../../support/reference-process.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";
import { storedUploads } from "../../../support/stored-uploads.js";
import { basicAuth } from "./basic-auth.js";

const mebibyte = 1024 * 1024;
const server = await chatServer();

async function upload(setup: ChatSetup, file: File, caller = "member"): Promise<{ url: string; filename: string }> {
  const answer = await setup.as(caller).uploadFile({ file });
  if (!answer.ok) throw new Error(`the upload was refused: ${JSON.stringify(answer)}`);
  return answer.data;
}

function open(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  return fetch(new URL(url, server.url), { headers, method });
}

async function attachmentOf(url: string) {
  const { database } = server.services;
  const path = url.slice("/user_uploads/".length);
  return await database.selectFrom("attachment").selectAll().where("path_id", "=", path).executeTakeFirst();
}

describe("uploadFile", () => {
  it("leaves nothing of an upload whose client disconnects", async () => {
    using folder = temporaryFolder();
    await using own = await createChatReference({ states: true, dataFolder: folder.path }).then(
      ({ close, ...rest }) => ({
        ...rest,
        [Symbol.asyncDispose]: close,
      }),
    );
    const setup = await setUpChat(own);
    const spooled = () => readdirSync(folder.inside("spool")).length;
    const headers = {
      ...basicAuth(setup.credentials("member")),
      "Content-Type": "multipart/form-data; boundary=b",
      "Content-Length": 2 * mebibyte,
    };
    const outgoing = request(`${own.url}/api/v1/user_uploads`, { method: "POST", headers });
    outgoing.on("error", () => {});
    outgoing.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n');
    outgoing.write(Buffer.alloc(mebibyte));
    await expect.poll(spooled).toBe(1);
    outgoing.destroy();
    await expect.poll(spooled).toBe(0);
  });

  it("stores nothing if the attachment cannot be created", async () => {
    const setup = await setUpChat(server);
    const { database } = server.services;
    const before = await storedUploads(server);
    await executeSql(
      database,
      "create temp trigger full before insert on attachment begin select raise(abort, 'full'); end",
    );
    try {
      const answer = await setup.as("member").uploadFile({ file: new File(["skull"], "skull.txt") });
      expect(answer.status).toBe(500);
    } finally {
      await executeSql(database, "drop trigger full");
    }
    expect(await storedUploads(server)).toEqual(before);
  });
});

describe("the upload routes", () => {
  it("serve an upload to its uploader and to readers of a message that links it", async () => {
    const setup = await setUpChat(server, {
      state: "channel",
      params: { name: "cellar", private: true, subscribers: ["member", "other"] },
    });
    const elsewhere = await setUpChat(server);
    const { url } = await upload(setup, new File(["skull"], "skull.txt"));
    const status = async (of: ChatSetup, caller: string) => (await open(url, basicAuth(of.credentials(caller)))).status;
    expect([await status(setup, "member"), await status(setup, "other")]).toEqual([200, 404]);
    await setup.add({
      state: "message",
      params: { channel: "cellar", from: "member", content: "the skull", links: ["skull.txt"] },
    });
    const who = ["member", "other", "moderator", "owner", "guest", "deactivated"];
    expect(await Promise.all(who.map((caller) => status(setup, caller)))).toEqual([200, 200, 404, 404, 404, 401]);
    expect(await status(elsewhere, "owner")).toBe(404);
    await setup.as("other").unsubscribe({ subscriptions: ["cellar"] });
    expect(await status(setup, "other")).toBe(404);
  });

  it("treat uploads of others like unknown paths, and require credentials", async () => {
    const setup = await setUpChat(server);
    const { url } = await upload(setup, new File(["skull"], "skull.txt"), "other");
    const member = basicAuth(setup.credentials("member"));
    const bodies = await Promise.all(
      [
        url,
        `${url}x`,
        "/user_uploads/a/b/c",
        "/user_uploads/%zz",
        "/user_uploads/..%2f..%2fchat.db",
        "/user_uploads/",
      ].map(async (path) => {
        const answer = await fetch(server.url + path, { headers: member });
        return [answer.status, await answer.json()];
      }),
    );
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]).toEqual([404, { result: "error", msg: expect.any(String), code: "BAD_REQUEST" }]);
    const nobody = await open(url);
    expect([nobody.status, nobody.headers.get("WWW-Authenticate")]).toEqual([401, 'Basic realm="chat"']);
    expect((await open(url, member, "POST")).status).toBe(405);
  });

  it.each([
    [
      new File(["<script>"], "x.html", { type: "text/html" }),
      "application/octet-stream",
      "attachment; filename*=UTF-8''x.html",
    ],
    [
      new File(["x"], "Bü's (1).txt", { type: "text/plain" }),
      "text/plain; charset=utf-8",
      "attachment; filename*=UTF-8''B%C3%BC%27s%20%281%29.txt",
    ],
    [new File(["x"], "x.png", { type: "image/png" }), "image/png", "inline"],
    [
      new File(["x"], "x.svg", { type: "image/svg+xml" }),
      "application/octet-stream",
      "attachment; filename*=UTF-8''x.svg",
    ],
  ])("set the type and disposition (%#)", async (file, type, disposition) => {
    const setup = await setUpChat(server);
    const { url } = await upload(setup, file);
    const member = basicAuth(setup.credentials("member"));
    const answer = await open(url, member);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": type,
      "content-disposition": disposition,
      "content-length": String(file.size),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private",
    });
    expect(await answer.text()).toBe(await file.text());
    const head = await open(url, member, "HEAD");
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, String(file.size), ""]);
  });
});

describe("removeUnusedUploads", () => {
  it("uses the clock of the organization, and keeps uploads linked by messages or scheduled messages", async () => {
    const days = (count: number) => count * 24 * 60 * 60;
    const setup = await setUpChat(server, { state: "channel", params: { name: "stage", subscribers: ["member"] } });
    const elsewhere = await setUpChat(server);
    const [unused, linked, scheduled] = await Promise.all(
      ["unused.txt", "linked.txt", "scheduled.txt"].map((name) => upload(setup, new File(["x"], name))),
    );
    const foreign = await upload(elsewhere, new File(["x"], "foreign.txt"));
    await setup.add(
      { state: "message", params: { channel: "stage", links: ["linked.txt"] } },
      {
        state: "scheduled-message",
        params: { channel: "stage", content: `[x](${scheduled?.url})`, in_seconds: days(90) },
      },
    );
    const left = () =>
      Promise.all(
        [unused, linked, scheduled, foreign].map(async (one) => (await attachmentOf(one?.url ?? "")) !== undefined),
      );
    const { database } = server.services;
    const ahead = async (seconds: number) =>
      await database
        .updateTable("realm")
        .set({ clock_offset_seconds: seconds })
        .where("key", "=", setup.organization)
        .execute();
    await ahead(days(21) - 60);
    await removeUnusedUploads(server.services);
    expect(await left()).toEqual([true, true, true, true]);
    const before = (await storedUploads(server)).length;
    await ahead(days(21));
    await removeUnusedUploads(server.services);
    expect(await left()).toEqual([false, true, true, true]);
    expect((await storedUploads(server)).length).toBe(before - 1);
  });

  it("removes many uploads in batches, and stops when aborted", async () => {
    const setup = await setUpChat(server);
    const { database } = server.services;
    const { user_id } = setup.credentials("member");
    const many = 1000;
    await executeSql(
      database,
      `
      with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${many})
      insert into attachment (realm_id, owner_id, path_id, stored_as, name, media_type, size, created_at_ms)
      select realm_id, id, 'old/' || id || '/' || i, realm_id || '-' || lower(hex(randomblob(16))), 'x', 'text/plain', 1, 1000000 + i % 7
      from user, numbers where id = ${user_id}`,
    );
    const left = async () => {
      const rows = database.selectFrom("attachment").select("id").where("owner_id", "=", user_id);
      return (await rows.execute()).length;
    };
    const stop = new AbortController();
    stop.abort();
    await removeUnusedUploads(server.services, stop.signal);
    expect(await left()).toBeGreaterThan(0);
    await removeUnusedUploads(server.services);
    expect(await left()).toBe(0);
  });
});
