import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { expect } from "vitest";
import { createChatReference } from "../../../../reference/chat/create-chat-reference.js";
import { createLogger } from "../../../../reference/logging/create-logger.js";
import type { CallerCredentials } from "../../../../src/chat/contract.js";
import { needing } from "../../../support/needing.js";
import { startReferenceProcess } from "../../../support/reference-process.js";
import { setUpChat } from "../../../support/set-up-chat.js";
import { type SmallDisk, smallDisk } from "../../../support/small-disk.js";
import { basicAuth } from "./basic-auth.js";
import { createTusCalls } from "./tus-calls.js";

const { it } = needing("mount");

const mebibyte = 1024 * 1024;
const full = { result: "error", msg: expect.stringContaining("disk"), code: expect.any(String) };

/** A server, and how to stop it. */
interface Server {
  readonly url: string;
  readonly end: () => Promise<void>;
  /** Its warnings, after it has stopped. */
  readonly warnings: () => string;
}

/** Starts a server in its own process, which `end` kills. */
async function start(disk: SmallDisk): Promise<Server> {
  const { url, child, finished } = await startReferenceProcess("--data", disk.inside("data"), "--states");
  let warnings = "";
  const end = async () => {
    child.kill("SIGKILL");
    warnings = (await finished).stderr;
  };
  return { url, end, warnings: () => warnings };
}

/** Starts a server in this process, which `end` closes. */
async function startHere(disk: SmallDisk): Promise<Server> {
  const warnings: string[] = [];
  const logger = { ...createLogger("silent"), warn: (text: string) => void warnings.push(text) };
  const { url, close } = await createChatReference({ dataFolder: disk.inside("data"), states: true, logger });
  return { url, end: close, warnings: () => warnings.join() };
}

function setUp({ url }: Server) {
  return setUpChat({ url, statesUrl: `${url}/states` });
}

/** Sends a file and returns the response, which may arrive before the file is sent. */
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
  return readdirSync(disk.inside("data/spool"));
}

it("refuses an upload larger than the disk, removes it, and keeps serving", async () => {
  using disk = smallDisk(16);
  let server = await startHere(disk);
  const credentials = (await setUp(server)).credentials("member");
  const huge = Buffer.alloc(20 * mebibyte, 1);
  for (const chunked of [false, true]) {
    expect(await upload(server.url, credentials, huge, { chunked })).toEqual({ status: 507, body: full });
    expect(files(disk)).toEqual([]);
  }
  const tus = createTusCalls(credentials);
  await expect(tus.create(server.url, huge.length)).rejects.toThrow("507");
  await server.end();
  server = await startHere(disk);
  expect(await upload(server.url, credentials, Buffer.alloc(mebibyte, 1), { chunked: false })).toMatchObject({
    status: 200,
  });
  await server.end();
});

/** A resumable upload of 5 MB, of which the server has acknowledged the first. */
async function beginResumable(server: Server) {
  const tus = createTusCalls((await setUp(server)).credentials("member"));
  const bytes = randomBytes(5_000_000);
  const location = await tus.create(server.url, bytes.length);
  expect((await tus.patch(server.url, location, 0, bytes.subarray(0, 1_000_000))).status).toBe(204);
  return {
    tus,
    location,
    /** Sends the bytes from `offset` on. */
    sendRest: ({ url }: Server, offset: number) => tus.patch(url, location, offset, bytes.subarray(offset)),
    /** Whether the response names a file with all the bytes. */
    isComplete: async ({ url }: Server, answer: Response) => {
      const file = (await answer.json()) as { url: string };
      return (await tus.content(url, file.url)).equals(bytes);
    },
  };
}

it("keeps the bytes of a resumable upload if the disk fills up before its end, even across a restart", async () => {
  using disk = smallDisk(16);
  let server = await start(disk);
  const { tus, location, sendRest, isComplete } = await beginResumable(server);
  disk.fill();
  const refused = await sendRest(server, 1_000_000);
  expect([refused.status, await refused.json()]).toEqual([507, full]);
  const received = await tus.offset(server.url, location);
  expect(received).toBeGreaterThanOrEqual(1_000_000);
  await server.end();
  server = await start(disk);
  expect(await tus.offset(server.url, location)).toBe(received);
  disk.free();
  expect(await isComplete(server, await sendRest(server, received))).toBe(true);
  await server.end();
});

it.each([
  ["was killed", start],
  ["was closed", startHere],
])("starts on a full disk after it %s, serves reads, and refuses writes", async (_, startServer) => {
  using disk = smallDisk(16);
  let server = await startServer(disk);
  const setup = await setUp(server);
  const credentials = setup.credentials("member");
  const bytes = Buffer.from("skull");
  const { body } = await upload(server.url, credentials, bytes, { chunked: false });
  const { url } = body as { url: string };
  await server.end();
  disk.fill();
  server = await startServer(disk);
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
  await server.end();
  expect(server.warnings()).toContain("almost full");
});

it("frees space at the start by removing leftovers of a crash", async () => {
  using disk = smallDisk(16);
  let server = await startHere(disk);
  const credentials = (await setUp(server)).credentials("member");
  await server.end();
  mkdirSync(disk.inside("data/spool"));
  writeFileSync(disk.inside("data/spool/accord-upload-0"), Buffer.alloc(12 * mebibyte));
  server = await startHere(disk);
  expect(files(disk)).toEqual([]);
  expect(await upload(server.url, credentials, Buffer.alloc(2 * mebibyte), { chunked: false })).toMatchObject({
    status: 200,
  });
  await server.end();
});
