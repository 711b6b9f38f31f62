import { once } from "node:events";
import { connect as connectHttp2, constants } from "node:http2";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type ConnectionLimits, defaultConnectionLimits } from "../../../src/daemon/server/connection-limits.js";
import { createEitherHttp, type Handler } from "../../../src/daemon/server/either-http.js";
import { listenOnPort } from "../../../src/daemon/server/listen-on.js";
import { stopLater } from "./serve.js";

const { headersMs, requestMs, idleMs } = defaultConnectionLimits;

// Fake only the timers of the server; sockets and the runtime use others.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** Advances the fake timers, and lets pending I/O happen. */
async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds);
  for (let round = 0; round < 10; round++) await new Promise((resolve) => setImmediate(resolve));
}

/** Expects that the connection closes exactly at the limit. */
async function expectEndAfter(milliseconds: number, server: Socket): Promise<void> {
  await pass(milliseconds - 1);
  expect(server.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  await until(() => server.destroyed);
}

/** A client, and the server's side of its connection. */
interface Opened {
  readonly client: Socket;
  readonly server: Socket;
  readonly received: () => string;
}

/** Serves `/echo`, which returns the body of a request, `/early`, which responds before its end, and `/never`, which never responds. */
async function serveEcho(limits?: ConnectionLimits) {
  const bodies: string[] = [];
  const handler: Handler = (request, response) => {
    if (request.url === "/early") response.end("early");
    text(request).then(
      (body) => {
        bodies.push(body);
        if (request.url === "/echo") response.end(body);
      },
      () => {},
    );
  };
  const accepted: Socket[] = [];
  const http = createEitherHttp(handler, () => false, limits);
  const listener = await listenOnPort(0, "127.0.0.1", (socket) => {
    accepted.push(socket);
    http.accept(socket);
  });
  stopLater(async () => {
    for (const socket of accepted) socket.destroy();
    await listener.close();
  });
  const lastAccepted = async (count: number): Promise<Socket> => {
    await until(() => accepted.length === count);
    const socket = accepted.at(-1);
    if (socket === undefined) throw new TypeError("No connection was accepted");
    return socket;
  };

  async function open(): Promise<Opened> {
    const count = accepted.length + 1;
    const client = connect(Number(new URL(listener.address).port), "127.0.0.1");
    client.on("error", () => {});
    stopLater(() => client.destroy());
    let received = "";
    client.on("data", (chunk) => {
      received += chunk.toString("latin1");
    });
    return { client, server: await lastAccepted(count), received: () => received };
  }

  async function openHttp2() {
    const count = accepted.length + 1;
    const session = connectHttp2(listener.address);
    session.on("error", () => {});
    stopLater(() => session.destroy());
    await once(session, "remoteSettings");
    const server = await lastAccepted(count);
    // The server has read the settings of the client when it acknowledges them.
    if (session.pendingSettingsAck) await once(session, "localSettings");
    return { session, server };
  }

  return { open, openHttp2, bodies };
}

/** Sends data, and waits until all of it has arrived. */
async function send({ client, server }: Opened, data: string | Buffer): Promise<void> {
  const want = server.bytesRead + Buffer.byteLength(data);
  client.write(data);
  await until(() => server.bytesRead >= want);
  await pass(0);
}

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const request = (body: string, { path = "/echo", length = body.length } = {}) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`;

describe("a stalling client", () => {
  it.each([
    ["nothing", "", headersMs],
    ["a byte", "P", headersMs],
    ["half a header", "POST /echo HTTP/1.1\r\nHost: a\r\nX-", headersMs],
    ["half a body", request("half", { length: 100 }), requestMs],
    ["half a body after a whole request", request("one") + request("half", { length: 100 }), requestMs],
    ["headers without a body", request("", { length: 100 }), requestMs],
    ["half a chunk", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nab", requestMs],
    ["half of the HTTP/2 preface", preface.slice(0, 10), headersMs],
    ["HTTP/2 without settings", preface, headersMs],
  ])("is disconnected after it sends %s", async (_, data, after) => {
    const opened = await (await serveEcho()).open();
    await send(opened, data);
    await expectEndAfter(after, opened.server);
  });

  it("is disconnected even if it sends a few bytes", async () => {
    const opened = await (await serveEcho()).open();
    for (const piece of ["POST ", "/echo ", "HTTP/1.1\r\n", "Host: "]) {
      await pass(headersMs / 5);
      await send(opened, piece);
    }
    await expectEndAfter(headersMs / 5, opened.server);
  });

  it("is disconnected during a later request, too", async () => {
    const opened = await (await serveEcho()).open();
    await send(opened, request("one"));
    await until(() => opened.received().includes("one"));
    await pass(0);
    await send(opened, "POST /echo HTTP/1.1\r\nHo");
    await expectEndAfter(idleMs + headersMs, opened.server);
  });

  it("is disconnected after an early response, too", async () => {
    const opened = await (await serveEcho()).open();
    await send(opened, request("half", { path: "/early", length: 8 }));
    await until(() => opened.received().includes("early"));
    await pass(0);
    await send(opened, "restPOST /echo HTTP/1.1\r\nHo");
    await expectEndAfter(idleMs + headersMs, opened.server);
  });

  it("loses only its stream over HTTP/2", async () => {
    const { openHttp2, bodies } = await serveEcho();
    const { session, server } = await openHttp2();
    const slow = session.request({ ":method": "POST", ":path": "/echo" }, { endStream: false });
    slow.on("error", () => {});
    slow.write("half");
    const other = session.request({ ":method": "POST", ":path": "/echo" });
    other.end("whole");
    await until(() => bodies.includes("whole"));
    await pass(requestMs - 1);
    expect(slow.closed).toBe(false);
    vi.advanceTimersByTime(1);
    await until(() => slow.closed);
    expect(slow.rstCode).toBe(constants.NGHTTP2_CANCEL);
    expect(server.destroyed).toBe(false);
    expect(bodies).toEqual(["whole"]);
  });
});

describe("an active client", () => {
  it("can send sequential requests", async () => {
    const opened = await (await serveEcho()).open();
    for (const body of ["one", "two", "three"]) {
      await pass(headersMs - 1);
      await send(opened, request(body).slice(0, -1));
      await pass(requestMs - 1);
      await send(opened, body.slice(-1));
      await until(() => opened.received().includes(body));
      await pass(0);
    }
    expect(opened.received()).toContain(`Keep-Alive: timeout=${idleMs / 1000}`);
  });

  it("can pipeline requests", async () => {
    const opened = await (await serveEcho()).open();
    await send(opened, request("one") + request("two") + request("three", { length: 8 }));
    await until(() => opened.received().includes("two"));
    await pass(requestMs - 1);
    await send(opened, "...");
    await until(() => opened.received().includes("three..."));
  });

  it("can wait for a slow response over HTTP/1.1", async () => {
    const { open, bodies } = await serveEcho();
    const opened = await open();
    await send(opened, request("x", { path: "/never" }));
    await until(() => bodies.length === 1);
    await pass(idleMs * 10);
    expect(opened.server.destroyed).toBe(false);
  });

  it("can wait for a slow response over HTTP/2", async () => {
    const { openHttp2, bodies } = await serveEcho();
    const { session, server } = await openHttp2();
    const stream = session.request({ ":method": "POST", ":path": "/never" });
    stream.on("error", () => {});
    stream.end("x");
    await until(() => bodies.length === 1);
    // Waits once with only the slow request, and once more after a request that has been answered.
    for (const body of ["y", "z"]) {
      await pass(idleMs * 10);
      const another = session.request({ ":method": "POST", ":path": "/echo" });
      another.end(body);
      expect(await text(another)).toBe(body);
      await pass(0);
    }
    expect([server.destroyed, stream.closed]).toEqual([false, false]);
  });
});

describe("an idle HTTP/2 connection", () => {
  it("is closed some time after its last request", async () => {
    const { session, server } = await (await serveEcho()).openHttp2();
    await pass(idleMs - 1);
    const stream = session.request({ ":method": "POST", ":path": "/echo" });
    stream.end("x");
    expect(await text(stream)).toBe("x");
    await pass(0);
    await expectEndAfter(idleMs, server);
  });

  it("is closed if it never had a request", async () => {
    const { server } = await (await serveEcho()).openHttp2();
    await expectEndAfter(idleMs, server);
  });
});

describe("the connection limit", () => {
  it("rejects further connections until others close", async () => {
    const { open } = await serveEcho({ ...defaultConnectionLimits, connections: 2 });
    const [first, second] = [await open(), await open()];
    const third = await open();
    await until(() => third.client.closed);
    await send(second, request("second"));
    await until(() => second.received().includes("second"));
    first.client.destroy();
    await until(() => first.server.destroyed);
    await pass(0);
    const fourth = await open();
    await send(fourth, request("fourth"));
    await until(() => fourth.received().includes("fourth"));
    expect(first.server.destroyed && third.server.destroyed).toBe(true);
  });

  it("is 1,000 by default", () => {
    expect(defaultConnectionLimits).toEqual({
      headersMs: 10_000,
      requestMs: 60_000,
      idleMs: 300_000,
      connections: 1_000,
    });
  });
});
