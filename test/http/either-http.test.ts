import { once } from "node:events";
import { connect as connectHttp2, constants } from "node:http2";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import {
  type ConnectionLimits,
  createEitherHttp,
  defaultConnectionLimits,
  type Handler,
} from "../../src/http/either-http.js";
import { listenOn } from "../../src/server/listen-on.js";
import { gate } from "../daemon/server/gate.js";
import { stopLater } from "../daemon/server/serve.js";
import { fields, frame, frameTypes } from "../support/http2-frames.js";

/** Far longer than a test, so that only the limit that a test shortens can close its connection. */
const long = 600_000;
const unlimited: ConnectionLimits = { ...defaultConnectionLimits, headersMs: long, requestMs: long, idleMs: long };

/** Serves `/echo`, which returns the body of a request, `/early`, which responds before its end, and `/never`, which never responds. */
const echo: Handler = (request, response) => {
  if (request.url === "/early") response.end("early");
  text(request).then(
    (body) => request.url === "/echo" && response.end(body),
    () => {},
  );
};

async function serveEcho(limits: Partial<ConnectionLimits>): Promise<URL> {
  const server = await listenOn({}, () => createEitherHttp(echo, { limits: { ...unlimited, ...limits } }));
  stopLater(server.close);
  return new URL(server.addresses[0] ?? "");
}

function open({ port }: URL): { readonly socket: Socket; readonly received: () => string } {
  const socket = connect(Number(port), "127.0.0.1");
  stopLater(() => socket.destroy());
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  return { socket, received: () => received };
}

/** Resolves when the connection is closed, also by a reset. */
async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once("close", resolve));
}

async function openHttp2(url: URL) {
  const session = connectHttp2(url);
  session.on("error", () => {});
  stopLater(() => session.destroy());
  await once(session, "remoteSettings");
  return session;
}

const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const request = (body: string, { path = "/echo", length = body.length } = {}) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n${body}`;

describe("a stalling client", () => {
  it.each([
    ["nothing", "", { headersMs: 50 }],
    ["a byte", "P", { headersMs: 50 }],
    ["half a header", "POST /echo HTTP/1.1\r\nHost: a\r\nX-", { headersMs: 50 }],
    ["half a body", request("half", { length: 100 }), { headersMs: 50, requestMs: 100 }],
    [
      "half a body after a whole request",
      request("one") + request("half", { length: 100 }),
      { headersMs: 50, requestMs: 100 },
    ],
    [
      "half a chunk",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nab",
      { headersMs: 50, requestMs: 100 },
    ],
    ["nothing after a request", request("one"), { idleMs: 50 }],
    ["half of a request after an early response", `${request("half", { path: "/early" })}POST /ec`, { headersMs: 50 }],
    ["HTTP/2 without settings", preface, { idleMs: 50 }],
  ])("is disconnected after it sends %s", async (_, data, limits) => {
    const { socket } = open(await serveEcho(limits));
    socket.write(data);
    await closed(socket);
  });

  it("loses only its stream over HTTP/2", async () => {
    const session = await openHttp2(await serveEcho({ headersMs: 200, requestMs: 200 }));
    const slow = session.request({ ":method": "POST", ":path": "/echo" }, { endStream: false });
    slow.on("error", () => {});
    slow.write("half");
    await once(slow, "close");
    expect(slow.rstCode).toBe(constants.NGHTTP2_CANCEL);
    const other = session.request({ ":method": "POST", ":path": "/echo" });
    other.end("whole");
    expect(await text(other)).toBe("whole");
  });

  it("loses its HTTP/2 connection if it sends nothing more", async () => {
    const session = await openHttp2(await serveEcho({ idleMs: 50 }));
    if (!session.closed) await once(session, "close");
  });
});

describe("an active client", () => {
  it("can send requests one after the other, and without waiting for responses", async () => {
    const { socket, received } = open(await serveEcho({}));
    for (const body of ["one", "two"]) {
      socket.write(request(body));
      await expect.poll(received).toContain(body);
    }
    socket.write(request("three") + request("four") + request("five", { length: 8 }));
    await expect.poll(received).toContain("four");
    socket.write("....");
    await expect.poll(received).toContain("five....");
  });

  it("can wait for a slow response over HTTP/2 on a connection that is idle", async () => {
    const begun = gate<() => void>();
    const server = await listenOn({}, () =>
      createEitherHttp((_, response) => begun.open(() => response.end("slow")), {
        limits: { ...unlimited, idleMs: 200 },
      }),
    );
    stopLater(server.close);
    const session = connectHttp2(server.addresses[0] ?? "");
    stopLater(() => session.destroy());
    const goaway = once(session, "goaway");
    const stream = session.request({ ":path": "/" });
    const respond = await begun.opened;
    await goaway;
    respond();
    expect(await text(stream)).toBe("slow");
  });
});

describe("the connection limit", () => {
  it("rejects further connections until others close", async () => {
    const url = await serveEcho({ connections: 2 });
    const [first, second] = [open(url), open(url)];
    await Promise.all([once(first.socket, "connect"), once(second.socket, "connect")]);
    const third = open(url);
    await closed(third.socket);
    second.socket.write(request("second"));
    await expect.poll(second.received).toContain("second");
    first.socket.destroy();
    await expect
      .poll(async () => {
        const next = open(url);
        next.socket.write(request("next"));
        await Promise.race([new Promise((resolve) => next.socket.once("data", resolve)), closed(next.socket)]);
        return next.received();
      })
      .toContain("next");
  });

  it("is 1,000 by default", () => {
    expect(defaultConnectionLimits).toEqual({
      headersMs: 10_000,
      requestMs: 60_000,
      idleMs: 300_000,
      connections: 1_000,
      streams: 128,
      allStreams: 4_096,
    });
  });
});

describe("a client that opens ever more requests over HTTP/2", () => {
  it("learns how many one connection may have, and is refused what exceeds those of all", async () => {
    const url = await serveEcho({ streams: 3, allStreams: 2 });
    const session = await openHttp2(url);

    expect(session.remoteSettings.maxConcurrentStreams).toBe(3);
    const [first, second, third] = ["/never", "/never", "/never"].map((path) =>
      session.request({ ":path": path, ":method": "POST" }),
    );
    for (const stream of [first, second, third]) stream?.on("error", () => {});
    const [head] = third === undefined ? [] : await once(third.resume(), "response");
    expect(head).toMatchObject({ ":status": 503 });
    first?.close();
    await expect
      .poll(async () => {
        const again = session
          .request({ ":path": "/echo", ":method": "POST" })
          .on("error", () => {})
          .end("a");
        return text(again).catch(() => "");
      })
      .toBe("a");
    expect(second?.closed).toBe(false);
  });

  it("cannot make a server hold the headers that it sends without end", async () => {
    const url = await serveEcho({ streams: 2 });
    const { socket } = open(url);
    socket.write(`${preface}`);
    socket.write(frame(frameTypes.settings, 0, 0, Buffer.alloc(0)));
    const head = fields([":method", "POST"], [":scheme", "http"], [":path", "/never"], [":authority", "a"]);
    for (let stream = 1; stream < 4_000; stream += 2) socket.write(frame(frameTypes.headers, 4, stream, head));
    const session = await openHttp2(url);
    const stream = session.request({ ":path": "/echo", ":method": "POST" }).end("a");

    expect(await text(stream)).toBe("a");
  });
});
