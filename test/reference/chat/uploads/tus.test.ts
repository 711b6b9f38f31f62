import { once } from "node:events";
import { request } from "node:http";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { removeUnusedUploads } from "../../../../reference/chat/uploads/housekeeping.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";
import { storedUploads } from "../../../support/stored-uploads.js";
import { basicAuth } from "./basic-auth.js";
import { createTusCalls } from "./tus-calls.js";

const version = { "Tus-Resumable": "1.0.0" };
const bytesType = { "Content-Type": "application/offset+octet-stream" };
const sample = (length: number) => Buffer.from(Array.from({ length }, (_, index) => index % 251));

let server: ChatReference;
let setup: ChatSetup;
beforeAll(async () => {
  server = await createChatReference({ states: true, validateResponses: true });
  setup = await setUpChat(server);
});
afterAll(() => server.close());

type Headers = Readonly<Record<string, string>>;

function call(location: string, method: string, headers: Headers, body?: Buffer, caller = "member") {
  const credentials = basicAuth(setup.credentials(caller));
  const all = { ...version, ...credentials, ...headers };
  return fetch(new URL(location, server.url), {
    method,
    headers: all,
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
}

async function create(length: number, headers: Headers = {}): Promise<string> {
  const answer = await call("/api/v1/tus", "POST", { "Upload-Length": String(length), ...headers });
  expect([answer.status, await answer.text()]).toEqual([201, ""]);
  return answer.headers.get("Location") ?? "";
}

function patch(location: string, offset: number, body: Buffer) {
  return call(location, "PATCH", { ...bytesType, "Upload-Offset": String(offset) }, body);
}

async function offsetOf(location: string): Promise<number> {
  return Number((await call(location, "HEAD", {})).headers.get("Upload-Offset"));
}

async function contentOf(url: string): Promise<Buffer> {
  const answer = await fetch(new URL(url, server.url), { headers: basicAuth(setup.credentials("member")) });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** Sends the first bytes of a PATCH, and ends the connection after them. */
async function cutPatch(location: string, offset: number, total: number, sent: Buffer): Promise<void> {
  const tus = createTusCalls(setup.credentials("member"));
  const outgoing = tus.beginPatch(server.url, location, { offset, total, sent });
  outgoing.on("socket", (socket) => outgoing.write("", () => socket.end()));
  await once(outgoing, "close");
}

const uploaded = {
  result: "success",
  msg: "",
  url: expect.stringMatching(/^\/user_uploads\//),
  uri: expect.any(String),
  filename: "skull.bin",
};
const named = { "Upload-Metadata": `filename ${Buffer.from("skull.bin").toString("base64")}` };

describe("a resumable upload", () => {
  it("succeeds in pieces with tus-js-client and becomes an attachment", async () => {
    const bytes = sample(300_000);
    const body = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${server.url}/api/v1/tus`,
        headers: basicAuth(setup.credentials("member")),
        metadata: { filename: "Bühne.png", filetype: "image/png" },
        chunkSize: 100_000,
        retryDelays: null,
        onError: reject,
        onSuccess: ({ lastResponse }) => resolve(lastResponse.getBody()),
      });
      upload.start();
    });
    const { url, uri, filename } = JSON.parse(body);
    expect([uri, filename, url.split("/").at(-1)]).toEqual([url, "Bühne.png", "Buhne.png"]);
    expect((await contentOf(url)).equals(bytes)).toBe(true);
    const message = { state: "message", params: { from: "member", to: ["other"], links: ["Bühne.png"] } };
    expect(await setup.add(message)).toMatchObject({ values: { message_id: expect.any(Number) } });
  });

  it("resumes with tus-js-client after the connection was cut", async () => {
    const bytes = sample(500_000);
    const location = await create(bytes.length, named);
    await cutPatch(location, 0, bytes.length, bytes.subarray(0, 200_000));
    expect(await offsetOf(location)).toBe(200_000);
    const body = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${server.url}/api/v1/tus`,
        uploadUrl: server.url + location,
        headers: basicAuth(setup.credentials("member")),
        onError: reject,
        onSuccess: ({ lastResponse }) => resolve(lastResponse.getBody()),
      });
      upload.start();
    });
    expect(JSON.parse(body)).toEqual(uploaded);
    expect((await contentOf(JSON.parse(body).url)).equals(bytes)).toBe(true);
  });

  it("replaces a request whose client fell silent", async () => {
    const bytes = sample(1000);
    const location = await create(bytes.length);
    const tus = createTusCalls(setup.credentials("member"));
    const silent = tus.beginPatch(server.url, location, { offset: 0, total: 1000, sent: bytes.subarray(0, 400) });
    await once(silent, "socket");
    await new Promise((resolve) => silent.write("", resolve));
    expect(await offsetOf(location)).toBe(400);
    silent.destroy();
    expect((await patch(location, 400, bytes.subarray(400))).status).toBe(200);
  });

  it("stores each byte once when two requests send the same part", async () => {
    const bytes = sample(50_000);
    const location = await create(bytes.length, named);
    const answers = await Promise.all([patch(location, 0, bytes), patch(location, 0, bytes)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers.find(({ status }) => status === 200);
    const { url } = JSON.parse((await winner?.text()) ?? "{}");
    expect((await contentOf(url)).equals(bytes)).toBe(true);
    const { database } = server.services;
    const rows = database.selectFrom("attachment").select("id").where("size", "=", bytes.length);
    expect((await rows.execute()).length).toBe(1);
  });

  it("repeats the last response for a client that missed it", async () => {
    const location = await create(5, named);
    const first = await (await patch(location, 0, sample(5))).json();
    expect(first).toEqual(uploaded);
    expect(await offsetOf(location)).toBe(5);
    expect(await (await patch(location, 5, Buffer.alloc(0))).json()).toEqual(first);
  });

  it("completes at creation if it is empty or the creation has all bytes", async () => {
    for (const body of [Buffer.alloc(0), sample(7)]) {
      const headers = { "Upload-Length": String(body.length), ...named, ...bytesType };
      const answer = await call("/api/v1/tus", "POST", headers, body);
      expect([answer.status, await answer.json()]).toEqual([201, uploaded]);
    }
  });

  it("can be terminated by its creator until it is complete", async () => {
    const location = await create(5);
    expect((await call(location, "DELETE", {}, undefined, "other")).status).toBe(404);
    expect((await call(location, "DELETE", {})).status).toBe(204);
    expect((await call(location, "HEAD", {})).status).toBe(404);
    const complete = await create(5);
    await patch(complete, 0, sample(5));
    expect((await call(complete, "DELETE", {})).status).toBe(400);
  });
});

describe("the tus server, given an invalid request", () => {
  it.each([
    "/api/v1/tus/..%2f..%2fchat.db",
    "/api/v1/tus/x",
    "/api/v1/tus/1-zz",
    "/api/v1/tus//",
    `/api/v1/tus/${"1".repeat(5000)}`,
  ])("answers %s with 404", async (path) => {
    const headers = { ...version, ...basicAuth(setup.credentials("member")) };
    const status = await new Promise((resolve, reject) => {
      const outgoing = request(`${server.url}/`, { method: "HEAD", path, headers });
      outgoing.on("response", ({ statusCode }) => resolve(statusCode));
      outgoing.on("error", reject);
      outgoing.end();
    });
    expect(status).toBe(404);
  });

  const text = (length: number) => Buffer.from("x".repeat(length)).toString("base64");
  it.each([
    [{}, 400],
    [{ "Upload-Defer-Length": "1" }, 400],
    [{ "Upload-Length": "-1" }, 400],
    [{ "Upload-Length": "5.5" }, 400],
    [{ "Upload-Length": "1e3" }, 400],
    [{ "Upload-Length": "5", "Upload-Metadata": "filename !" }, 400],
    [{ "Upload-Length": "5", "Upload-Metadata": "__proto__ eA==" }, 400],
    [{ "Upload-Length": "5", "Upload-Metadata": `filename ${text(256)}` }, 400],
    [{ "Upload-Length": "5", "Upload-Concat": "partial" }, 400],
  ])("answers a creation with %j with %i in the envelope", async (headers, status) => {
    const answer = await call("/api/v1/tus", "POST", headers as unknown as Headers);
    expect([answer.status, answer.headers.get("Tus-Resumable")]).toEqual([status, "1.0.0"]);
    expect(await answer.json()).toEqual({ result: "error", msg: expect.any(String), code: "BAD_REQUEST" });
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  it("refuses more bytes than announced", async () => {
    const location = await create(5);
    expect((await patch(location, 0, sample(100_000))).status).toBe(413);
    expect((await patch(location, 3, sample(2))).status).toBe(409);
    expect((await patch(location, 0, sample(5))).status).toBe(200);
  });

  it("refuses methods outside the protocol", async () => {
    expect((await call("/api/v1/tus", "GET", {})).status).toBe(405);
    expect((await call(await create(5), "GET", {})).status).toBe(405);
  });

  it("refuses everything below level 296", async () => {
    const old = await createChatReference({ states: true, featureLevel: 295, validateResponses: true });
    try {
      const member = basicAuth((await setUpChat(old)).credentials("member"));
      const headers = { ...version, ...member, "Upload-Length": "5" };
      expect((await fetch(`${old.url}/api/v1/tus`, { method: "POST", headers })).status).toBe(404);
    } finally {
      await old.close();
    }
  });
});

describe("removeUnusedUploads", () => {
  it("removes incomplete uploads that have been idle for a week", async () => {
    const [stale, fresh] = [await create(5), await create(5)];
    const { database } = server.services;
    const eightDaysAgo = Date.now() - 8 * 24 * 60 * 60 * 1000;
    await patch(stale, 0, sample(3));
    const before = await storedUploads(server);
    await database
      .updateTable("upload_part")
      .set({ touched_at_ms: eightDaysAgo })
      .where("id", "=", stale.split("/").at(-1) ?? "")
      .execute();
    await removeUnusedUploads(server.services);
    expect((await storedUploads(server)).length).toBe(before.length - 1);
    expect(await offsetOf(fresh)).toBe(0);
    expect((await call(stale, "HEAD", {})).status).toBe(404);
  });
});
