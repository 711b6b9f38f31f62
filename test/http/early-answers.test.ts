import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createChatReference } from "../../reference/chat/create-chat-reference.js";
import { missingPrograms } from "../../scripts/test/missing-programs.js";
import { listen } from "../../src/base/listen.js";
import { createChatClient } from "../../src/chat/index.js";
import { chatPlugin } from "../../src/chat/server/fastify.js";
import { createFetchHandler } from "../../src/chat/server/index.js";
import { createDaemonServer } from "../../src/daemon/index.js";
import { createChatMock } from "../../src/mock.js";
import { exampleService } from "../chat/server/example-service.js";
import { handlersWith } from "../daemon/server/serve.js";
import { type HttpClient, httpClients } from "../support/http-clients.js";
import { needing } from "../support/needing.js";
import { startNginx } from "../support/nginx.js";

/** How often each request is sent. A lost response is nearly always lost at the first. */
const times = Number(process.env.ACCORD_REPEAT ?? 1);
const mebibyte = 1024 * 1024;
const wrong = { Authorization: `Basic ${btoa("somebody@example.com:wrong")}` };
const right = { Authorization: `Basic ${btoa("me@example.com:key:1")}` };
const multipart = { "Content-Type": "multipart/form-data; boundary=x" };

const hasNginx = !missingPrograms().includes("nginx");

const folder = mkdtempSync(join(tmpdir(), "accord-bodies-"));
const bodies = { small: join(folder, "small"), large: join(folder, "large"), larger: join(folder, "larger") };
const running: { readonly close: () => unknown }[] = [];
const urls = { reference: "", mock: "", fastify: "", fetch: "", daemon: "", nginx: "" };

beforeAll(async () => {
  // One body fits into the buffers of the sockets, one exceeds them, and one exceeds the limit of an upload.
  writeFileSync(bodies.small, Buffer.alloc(3_000, "a"));
  writeFileSync(bodies.large, Buffer.alloc(20 * mebibyte, "a"));
  writeFileSync(bodies.larger, Buffer.alloc(36 * mebibyte, "a"));
  const reference = await createChatReference();
  const mock = await createChatMock();
  const daemon = await createDaemonServer({ handlers: handlersWith({}) });
  const app = Fastify();
  app.register(chatPlugin(exampleService()));
  const host = await hostFetchHandler();
  const nginx = hasNginx ? await startNginx(reference.url) : { url: "", stop: () => {} };
  running.push(reference, mock, daemon, app, host, { close: nginx.stop });
  Object.assign(urls, {
    reference: reference.url,
    mock: mock.url,
    fastify: await app.listen({ port: 0, host: "127.0.0.1" }),
    fetch: host.url,
    daemon: daemon.addresses[0],
    nginx: nginx.url,
  });
});

afterAll(async () => {
  for (const { close } of running) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** A typical host of web-standard handlers, which closes the connection with the response. */
function hostFetchHandler() {
  const handle = createFetchHandler(exampleService());
  const server = createServer(async (request, response) => {
    const body = Readable.toWeb(request) as BodyInit;
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const init = { method: request.method ?? "", headers, body, duplex: "half" };
    const answer = await handle(new Request(new URL(request.url ?? "", "http://localhost"), init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  });
  return listen(server);
}

interface Refusal {
  readonly server: keyof typeof urls;
  readonly status: number;
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: keyof typeof bodies;
  readonly isChunked?: boolean;
}

const uploads = "/api/v1/user_uploads";
const preview = "/proxydaemon.v1.ProxySubscriptions/PreviewImport";
const refusals: readonly Refusal[] = [
  { server: "reference", status: 401, headers: { ...wrong, ...multipart }, body: "large" },
  { server: "reference", status: 401, path: "/api/v1/tus", headers: wrong, body: "large" },
  { server: "reference", status: 404, path: "/api/v1/nothing", headers: wrong, body: "large", isChunked: true },
  { server: "reference", status: 405, path: "/api/v1/messages", headers: wrong, body: "large" },
  { server: "mock", status: 413, headers: { ...wrong, ...multipart }, body: "larger" },
  { server: "mock", status: 401, headers: multipart, body: "large" },
  { server: "fastify", status: 413, headers: { ...right, ...multipart }, body: "larger" },
  { server: "fastify", status: 401, headers: { ...wrong, ...multipart }, body: "large", isChunked: true },
  { server: "fetch", status: 413, headers: { ...right, ...multipart }, body: "larger" },
  { server: "fetch", status: 401, headers: { ...wrong, ...multipart }, body: "large" },
  { server: "daemon", status: 403, path: preview, headers: { Origin: "https://a.example" }, body: "large" },
  { server: "daemon", status: 404, path: "/nothing", headers: {}, body: "large" },
  { server: "daemon", status: 415, path: preview, headers: { "Content-Type": "text/plain" }, body: "large" },
];
const refusalsThroughNginx: readonly Refusal[] = [
  { server: "nginx", status: 401, headers: { ...wrong, ...multipart }, body: "large" },
  { server: "nginx", status: 404, path: "/api/v1/nothing", headers: wrong, body: "large" },
];
/** Clients that close the connection themselves lose the response most often. */
const closing: readonly Refusal[] = (["reference", "mock", "fastify", "fetch", "daemon"] as const).map((server) => ({
  server,
  status: server === "daemon" ? 404 : 401,
  headers: { "Content-Type": "text/plain", Connection: "close" },
  body: "small",
  isChunked: true,
}));

/** How often clients send a request: more often if they close the connection. */
const timesOf = (refusal: Refusal) => (closing.includes(refusal) ? times * 10 : times);

async function sendAll(client: HttpClient, sent: readonly Refusal[]) {
  const all = sent.flatMap((refusal) => Array<Refusal>(timesOf(refusal)).fill(refusal));
  const answers = await client(
    all.map(({ server, path = uploads, headers, body, isChunked = false }) => {
      return { url: urls[server] + path, headers, file: bodies[body], isChunked };
    }),
  );
  expect(answers).toHaveLength(all.length);
  return new Map(sent.map((refusal) => [refusal, answers.filter((_, index) => all[index] === refusal)]));
}

for (const { name, needs, send } of httpClients)
  needing(...needs).describe(`${name} during an upload`, () => {
    // The fetch standard forbids the header `Connection`.
    const closed = name === "Node's fetch" ? [] : closing;
    let answers: ReadonlyMap<Refusal, readonly (number | string)[]>;
    beforeAll(async () => {
      answers = await sendAll(send, [...refusals, ...(hasNginx ? refusalsThroughNginx : []), ...closed]);
    });

    it.each(refusals)("receives $status from $server for a $body body", (refusal) => {
      expect(answers.get(refusal)).toEqual(Array(timesOf(refusal)).fill(refusal.status));
    });

    needing("nginx").it.each(refusalsThroughNginx)("receives $status from nginx for a $body body", (refusal) => {
      expect(answers.get(refusal)).toEqual(Array(timesOf(refusal)).fill(refusal.status));
    });

    it.each(closed)("gets $status from $server after Connection: close", (refusal) => {
      expect(answers.get(refusal)).toEqual(Array(timesOf(refusal)).fill(refusal.status));
    });
  });

describe("createChatClient", () => {
  it("returns the refusal of a pending upload to its caller", async () => {
    const client = createChatClient({ baseUrl: urls.reference, email: "somebody@example.com", apiKey: "wrong" });
    for (let count = 0; count < times; count++) {
      const file = new File([new Uint8Array(20 * mebibyte)], "large.bin");
      const plain = await client.uploadFile({ file });
      const watched = await client.uploadFile({ file }, { onUploadProgress: () => {} });
      expect([plain.status, watched.status]).toEqual([401, 401]);
    }
  });
});
