import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type ChatReference, createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { removeUnusedUploads } from "../../../../reference/chat/uploads/housekeeping.js";
import { parseBucketUrl } from "../../../../reference/chat/uploads/s3/bucket.js";
import { type PostgresCluster, startPostgres } from "../../../../scripts/bench/postgres-cluster.js";
import { needing } from "../../../support/needing.js";
import { type ChatSetup, setUpChat } from "../../../support/set-up-chat.js";
import { basicAuth } from "./basic-auth.js";
import { type S3Endpoint, startS3Endpoint } from "./s3-endpoint.js";
import { createTusCalls, type TusCalls } from "./tus-calls.js";

const { describe } = needing("postgresql");

const mebibyte = 1024 * 1024;
const day = 24 * 60 * 60 * 1000;
/** More than the smallest part of a multipart upload. */
const sample = Buffer.from(Array.from({ length: 6 * mebibyte }, (_, index) => (index * 7) % 251));

let store: S3Endpoint;
let cluster: PostgresCluster;
let first: ChatReference;
let second: ChatReference;
let setup: ChatSetup;
let calls: TusCalls;
beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test-key");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test-secret");
  [store, cluster] = await Promise.all([startS3Endpoint(), startPostgres()]);
  const databaseUrl = await cluster.createDatabase("uploads");
  const start = () =>
    createChatReference({ databaseUrl, states: true, uploads: { url: "s3://bucket/chat", endpoint: store.url } });
  first = await start();
  second = await start();
  setup = await setUpChat(first);
  calls = createTusCalls(setup.credentials("member"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([first?.close(), second?.close()]);
  cluster?.stop();
  await store?.close();
});

function upload(bytes: Buffer, server = first): Promise<Response> {
  const body = new FormData();
  body.append("file", new Blob([new Uint8Array(bytes)]), "photo.png");
  const headers = basicAuth(setup.credentials("member"));
  return fetch(`${server.url}/api/v1/user_uploads`, { method: "POST", headers, body });
}

async function urlOf(answer: Response): Promise<string> {
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { url: string }).url;
}

describe("uploads in an S3-compatible store", () => {
  it.each([0, 100, sample.length])("are read by another server byte for byte (%d bytes)", async (length) => {
    const bytes = sample.subarray(0, length);
    expect((await calls.content(second.url, await urlOf(await upload(bytes)))).equals(bytes)).toBe(true);
  });

  it("are continued by another server", async () => {
    const location = await calls.create(first.url, sample.length);
    // The bytes before the first cut are too few for a part, so they are stored separately.
    const cuts = [0, 1000, 5.5 * mebibyte, sample.length];
    for (const [index, server] of [first, second].entries()) {
      const answer = await calls.patch(
        server.url,
        location,
        cuts[index] ?? 0,
        sample.subarray(cuts[index], cuts[index + 1]),
      );
      expect(answer.status).toBe(204);
      expect(await calls.offset((server === first ? second : first).url, location)).toBe(cuts[index + 1]);
    }
    const url = await urlOf(await calls.patch(first.url, location, 5.5 * mebibyte, sample.subarray(5.5 * mebibyte)));
    expect((await calls.content(second.url, url)).equals(sample)).toBe(true);
    expect(await calls.offset(second.url, location)).toBe(sample.length);
  });

  it("are continued by one server at a time", async () => {
    const location = await calls.create(first.url, 2000);
    const [one, other] = await Promise.all(
      [first, second].map((server) => calls.patch(server.url, location, 0, sample.subarray(0, 1000))),
    );
    expect([one?.status, other?.status].sort()).toEqual([204, 409]);
    const url = await urlOf(await calls.patch(second.url, location, 1000, sample.subarray(1000, 2000)));
    expect((await calls.content(first.url, url)).equals(sample.subarray(0, 2000))).toBe(true);
  });

  it("may be empty and resumable", async () => {
    const headers = { ...basicAuth(setup.credentials("member")), "Tus-Resumable": "1.0.0", "Upload-Length": "0" };
    const created = await fetch(`${first.url}/api/v1/tus`, { method: "POST", headers });
    expect(created.status).toBe(201);
    expect(await calls.content(second.url, ((await created.json()) as { url: string }).url)).toHaveLength(0);
  });

  it("are removed from the store when their attachment is deleted", async () => {
    const before = new Set(store.objects.keys());
    const url = await urlOf(await upload(sample.subarray(0, 50)));
    const [key] = [...store.objects.keys()].filter((name) => !before.has(name));
    expect(key).toMatch(/^chat\/\d+-[0-9a-f]{32}$/);
    const { id } = await first.services.database
      .selectFrom("attachment")
      .select("id")
      .where("path_id", "=", url.replace("/user_uploads/", ""))
      .executeTakeFirstOrThrow();
    expect(await setup.as("member").deleteAttachment({ attachment_id: id })).toMatchObject({ ok: true });
    expect(store.objects.has(key ?? "")).toBe(false);
  });

  it("are removed if they are terminated, or incomplete for a week, or without an attachment for a day", async () => {
    const terminated = await calls.create(first.url, 100);
    const kept = await calls.create(first.url, 100);
    const abandoned = await calls.create(first.url, 100);
    const credentials = { ...basicAuth(setup.credentials("member")), "Tus-Resumable": "1.0.0" };
    const ended = await fetch(first.url + terminated, { method: "DELETE", headers: credentials });
    expect(ended.status).toBe(204);
    expect((await fetch(second.url + terminated, { method: "HEAD", headers: credentials })).status).toBe(404);

    const used = await urlOf(await upload(sample.subarray(0, 10)));
    const stray = `chat/1-${"0".repeat(32)}`;
    const foreign = ["chat/notes.txt", `other/1-${"0".repeat(32)}`];
    for (const key of [stray, ...foreign])
      store.objects.set(key, { bytes: sample, metadata: {}, modified: new Date() });
    for (const object of store.objects.values()) object.modified = new Date(Date.now() - 2 * day);
    const random = abandoned.split("-").at(-1) ?? "";
    for (const one of store.multipart.values()) {
      if (one.key.endsWith(random)) one.begun = new Date(Date.now() - 8 * day);
    }
    await removeUnusedUploads(first.services);
    const offsets = await Promise.allSettled([kept, abandoned].map((location) => calls.offset(second.url, location)));
    expect(offsets.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(store.objects.has(stray)).toBe(false);
    for (const key of foreign) expect(store.objects.has(key)).toBe(true);
    expect(await calls.content(second.url, used)).toHaveLength(10);
  });

  it("get status 503 while the store is unavailable", async () => {
    const url = await urlOf(await upload(sample.subarray(0, 10)));
    const location = await calls.create(first.url, 10);
    store.isBroken = true;
    try {
      const headers = basicAuth(setup.credentials("member"));
      const answers = await Promise.all([
        upload(sample.subarray(0, 10)),
        fetch(first.url + url, { headers }),
        calls.patch(first.url, location, 0, sample.subarray(0, 10)),
      ]);
      for (const answer of answers) {
        expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1"]);
        expect(await answer.json()).toMatchObject({ result: "error", code: "SERVICE_UNAVAILABLE" });
      }
    } finally {
      store.isBroken = false;
    }
    await urlOf(await calls.patch(first.url, location, 0, sample.subarray(0, 10)));
  });

  it("need a bucket that exists", async () => {
    const opened = createChatReference({ uploads: { url: "s3://missing", endpoint: store.url } });
    await expect(opened).rejects.toThrow("The bucket missing cannot be used: the store answers 404");
  });
});

describe("parseBucketUrl", () => {
  it("reads the name and the prefix", () => {
    expect(parseBucketUrl("s3://bucket")).toEqual({ name: "bucket", prefix: "" });
    expect(parseBucketUrl("s3://my.bucket/a/b/")).toEqual({ name: "my.bucket", prefix: "a/b/" });
    for (const wrong of ["bucket", "s3://", "s3://A", "s3://bucket/ü"]) expect(parseBucketUrl(wrong)).toBeUndefined();
  });
});
