import { randomBytes } from "node:crypto";
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CallerCredentials } from "../../../../src/verify/chat/states-client.js";
import { type ReferenceProcess, startReferenceProcess } from "../../../support/reference-process.js";
import { setUpChat } from "../../../support/set-up-chat.js";
import { type SmallDisk, smallDisk } from "../../../support/small-disk.js";
import { basicAuth } from "./basic-auth.js";
import { createTusCalls } from "./tus-calls.js";

const mebibyte = 1024 * 1024;
const full = { result: "error", msg: expect.stringContaining("disk"), code: expect.any(String) };

function start(disk: SmallDisk): Promise<ReferenceProcess> {
  return startReferenceProcess("--data", disk.inside("data"), "--states");
}

function setUp(server: ReferenceProcess) {
  return setUpChat({ url: server.url, statesUrl: `${server.url}/states` });
}

async function kill(server: ReferenceProcess): Promise<void> {
  server.child.kill("SIGKILL");
  await server.finished;
}

/** Sends a file, and gives the answer, which may come before all is sent. */
function upload(url: string, credentials: CallerCredentials, bytes: Buffer, { chunked }: { chunked: boolean }) {
  const body = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'),
    bytes,
    Buffer.from("\r\n--b--\r\n"),
  ]);
  return new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    const outgoing = request(`${url}/api/v1/user_uploads`, {
      method: "POST",
      headers: {
        ...basicAuth(credentials),
        "Content-Type": "multipart/form-data; boundary=b",
        ...(chunked ? {} : { "Content-Length": body.length }),
      },
    });
    outgoing.on("error", reject);
    outgoing.on("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece) => {
        text += piece;
      });
      answer.on("end", () => {
        outgoing.off("error", reject).on("error", () => {});
        outgoing.destroy();
        resolve({ status: answer.statusCode, body: JSON.parse(text) });
      });
    });
    outgoing.end(body);
  });
}

function files(disk: SmallDisk): string[] {
  return ["spool", "parts", "files"].flatMap((name) => readdirSync(join(disk.inside("data"), "uploads", name)));
}

it("refuses an upload that is larger than the disk, leaves nothing of it, and goes on", async () => {
  using disk = smallDisk(16);
  let server = await start(disk);
  const credentials = (await setUp(server)).credentials("member");
  const huge = Buffer.alloc(20 * mebibyte, 1);
  for (const chunked of [false, true]) {
    expect(await upload(server.url, credentials, huge, { chunked })).toEqual({ status: 507, body: full });
    expect(files(disk)).toEqual([]);
  }
  const tus = createTusCalls(credentials);
  await expect(tus.create(server.url, huge.length)).rejects.toThrow("507");
  expect(files(disk)).toEqual([]);
  await kill(server);
  server = await start(disk);
  expect(await upload(server.url, credentials, Buffer.alloc(mebibyte, 1), { chunked: false })).toMatchObject({
    status: 200,
  });
  await kill(server);
});

it("keeps the bytes of a resumable upload when the disk fills up before its last request, also over a restart", async () => {
  using disk = smallDisk(16);
  let server = await start(disk);
  const tus = createTusCalls((await setUp(server)).credentials("member"));
  const bytes = randomBytes(5_000_000);
  const acknowledged = bytes.length - 10;
  const location = await tus.create(server.url, bytes.length);
  expect((await tus.patch(server.url, location, 0, bytes.subarray(0, acknowledged))).status).toBe(204);
  disk.fill();
  const refused = await tus.patch(server.url, location, acknowledged, bytes.subarray(acknowledged));
  expect([refused.status, await refused.json()]).toEqual([507, full]);
  expect(await tus.offset(server.url, location)).toBe(acknowledged);
  await kill(server);
  server = await start(disk);
  expect(await tus.offset(server.url, location)).toBe(acknowledged);
  disk.free();
  const answer = await tus.patch(server.url, location, acknowledged, bytes.subarray(acknowledged));
  expect(answer.status).toBe(200);
  const { url } = (await answer.json()) as { url: string };
  expect((await tus.content(server.url, url)).equals(bytes)).toBe(true);
  await kill(server);
});

it("asks for the last byte again when a resumable upload has all bytes and the disk no room for its attachment", async () => {
  using disk = smallDisk(16);
  let server = await start(disk);
  const tus = createTusCalls((await setUp(server)).credentials("member"));
  const bytes = randomBytes(5_000_000);
  const location = await tus.create(server.url, bytes.length);
  await tus.patch(server.url, location, 0, bytes.subarray(0, -10));
  await kill(server);
  // As a server leaves it that is killed when it has written the last bytes.
  appendFileSync(join(disk.inside("data/uploads/parts"), location.split("/").at(-1) ?? ""), bytes.subarray(-10));
  disk.fill();
  server = await start(disk);
  expect(await tus.offset(server.url, location)).toBe(bytes.length - 1);
  expect((await tus.patch(server.url, location, bytes.length - 1, bytes.subarray(-1))).status).toBe(507);
  disk.free();
  const answer = await tus.patch(server.url, location, bytes.length - 1, bytes.subarray(-1));
  const { url } = (await answer.json()) as { url: string };
  expect((await tus.content(server.url, url)).equals(bytes)).toBe(true);
  await kill(server);
});

it.each(["SIGKILL", "SIGTERM"] as const)(
  "starts on a full disk after %s, serves reads, and refuses writes",
  async (signal) => {
    using disk = smallDisk(16);
    let server = await start(disk);
    const setup = await setUp(server);
    const credentials = setup.credentials("member");
    const bytes = Buffer.from("skull");
    const { body } = await upload(server.url, credentials, bytes, { chunked: false });
    const { url } = body as { url: string };
    server.child.kill(signal);
    await server.finished;
    disk.fill();
    server = await start(disk);
    const read = () => fetch(server.url + url, { headers: basicAuth(credentials) });
    const write = async () => {
      const note = new URLSearchParams({ note: "x".repeat(900), scheduled_delivery_timestamp: "4102444800" });
      const headers = basicAuth(credentials);
      const answer = await fetch(`${server.url}/api/v1/reminders`, { method: "POST", headers, body: note });
      return { status: answer.status, body: await answer.json() };
    };
    expect(await (await read()).text()).toBe("skull");
    expect(await write()).toEqual({ status: 507, body: full });
    expect(await upload(server.url, credentials, bytes, { chunked: false })).toEqual({ status: 507, body: full });
    disk.free();
    expect(await write()).toMatchObject({ status: 200 });
    expect(await upload(server.url, credentials, bytes, { chunked: false })).toMatchObject({ status: 200 });
    await kill(server);
    expect((await server.finished).stderr).toContain("almost full");
  },
);

it("makes room at the start by what a crash has left", async () => {
  using disk = smallDisk(16);
  let server = await start(disk);
  const credentials = (await setUp(server)).credentials("member");
  await kill(server);
  writeFileSync(disk.inside("data/uploads/spool/accord-upload-0"), Buffer.alloc(6 * mebibyte));
  writeFileSync(disk.inside(`data/uploads/files/${"0".repeat(32)}`), Buffer.alloc(3 * mebibyte));
  writeFileSync(disk.inside(`data/uploads/parts/1-${"0".repeat(32)}`), Buffer.alloc(3 * mebibyte));
  server = await start(disk);
  expect(files(disk)).toEqual([]);
  expect(await upload(server.url, credentials, Buffer.alloc(5 * mebibyte), { chunked: false })).toMatchObject({
    status: 200,
  });
  await kill(server);
});
