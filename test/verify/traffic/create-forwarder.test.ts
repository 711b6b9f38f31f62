import { once } from "node:events";
import { createServer, get, request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "../../../src/listen.js";
import { createForwarder } from "../../../src/verify/traffic/create-forwarder.js";
import type { ForwarderLimits } from "../../../src/verify/traffic/forwarder-limits.js";
import type { ChangeAnswer } from "../../../src/verify/traffic/interception.js";
import { createProxyServer } from "../../../src/verify/traffic/proxy-server.js";
import type { RecordedExchange } from "../../../src/verify/traffic/traffic.js";
import { listenOn } from "../../support/listen-on.js";
import { exchangeBytes } from "../../support/raw-http.js";

const formatError = (msg: string) => ({ type: "application/json", text: JSON.stringify({ result: "error", msg }) });

/** Starts a proxy in front of a server for the rest of the test. */
async function startProxy(origin: string, limits: Partial<ForwarderLimits> = {}, change?: ChangeAnswer) {
  const exchanges: RecordedExchange[] = [];
  const forwarder = createForwarder({
    ...{ origin, formatError, limits },
    onExchange: (one) => exchanges.push(one),
    ...(change === undefined ? {} : { intercept: () => ({ change, provoked: () => [] }) }),
  });
  const proxy = await listen(createProxyServer(forwarder.handle, formatError));
  onTestFinished(async () => {
    forwarder.close();
    await proxy.close();
  });
  return { url: proxy.url, exchanges };
}

async function startServer(listener: RequestListener) {
  const server = createServer(listener);
  const { url, close } = await listen(server);
  onTestFinished(close);
  return { url, server };
}

async function behindProxy(listener: RequestListener, limits?: Partial<ForwarderLimits>) {
  const { url, server } = await startServer(listener);
  return { ...(await startProxy(url, limits)), server, serverUrl: url };
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

function raw(url: string, ...lines: readonly string[]): Promise<string> {
  return exchangeBytes(url, Buffer.from(`${lines.join("\r\n")}`), false).then(String);
}

/** The machine may be busy. */
const generous = { timeout: 15_000 };

describe("createForwarder", () => {
  it("passes on methods, targets, headers and bodies in both directions", async () => {
    let seen: { method?: string; url?: string; headers: string[]; body: string } | undefined;
    const { url, exchanges } = await behindProxy(async (request, response) => {
      const { method = "", url: target = "", rawHeaders } = request;
      seen = { method, url: target, headers: rawHeaders, body: await bodyOf(request) };
      response.writeHead(201, "Made", ["X-One", "1", "Set-Cookie", "a=1", "Set-Cookie", "b=2", "x-one", "2"]);
      response.end("körper");
    });
    const response = await fetch(`${url}/a/%2F/b?x=%20&y=+`, {
      method: "PATCH",
      headers: { "X-Up": "ä" },
      body: "täxt",
    });

    expect(response.status).toBe(201);
    expect(response.statusText).toBe("Made");
    expect(response.headers.get("X-One")).toBe("1, 2");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe("körper");
    expect(seen).toMatchObject({ method: "PATCH", url: "/a/%2F/b?x=%20&y=+", body: "täxt" });
    await expect.poll(() => exchanges.length, generous).toBe(1);
    expect(exchanges[0]?.request).toMatchObject({ method: "PATCH", target: "/a/%2F/b?x=%20&y=+", bodyBytes: 5 });
    expect(String(exchanges[0]?.request.body)).toBe("täxt");
    expect(String(exchanges[0]?.response?.body)).toBe("körper");
  });

  it("does not forward the headers of a connection", async () => {
    let headers: IncomingMessage["headers"] = {};
    const { url } = await behindProxy((request, response) => {
      headers = request.headers;
      response.setHeader("Connection", "X-Hop");
      response.setHeader("X-Hop", "1");
      response.setHeader("Proxy-Authenticate", "Basic");
      response.end("ok");
    });
    const answer = await raw(
      url,
      "GET / HTTP/1.1",
      "Host: proxy.example",
      "Connection: close, X-Private, Content-Length",
      "X-Private: 1",
      "Proxy-Authorization: Basic c2VzYW1l",
      "TE: gzip",
      "Upgrade: h2c",
      "Keep-Alive: timeout=5",
      "X-Public: 2",
      "",
      "",
    );

    expect(answer).not.toMatch(/x-hop|proxy-authenticate/i);
    expect(answer).toMatch(/ok$/);
    expect(headers).toMatchObject({ "x-public": "2", via: "1.1 accord" });
    expect(Object.keys(headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/x-private|proxy-auth|^te$|upgrade|keep-alive/)]),
    );
    expect(headers.host).not.toBe("proxy.example");
  });

  it.each([
    ["HEAD", 200, { "Content-Length": "12" }],
    ["GET", 204, {}],
    ["GET", 304, { ETag: '"x"' }],
  ])("passes on responses without a body: %s with %i", async (method, status, headers) => {
    const { url } = await behindProxy((_, response) => void response.writeHead(status, headers).end());
    const response = await fetch(url, { method });

    expect(response.status).toBe(status);
    expect(await response.text()).toBe("");
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toBe(value);
  });

  it("passes on chunked bodies of any method, and trailers in both directions", async () => {
    let trailers: IncomingMessage["trailers"] = {};
    const { url } = await behindProxy(async (request, response) => {
      const body = await bodyOf(request);
      trailers = request.trailers;
      response.writeHead(200, { Trailer: "X-Sum" });
      response.write(body);
      response.addTrailers({ "X-Sum": "7" });
      response.end();
    });
    const outgoing = httpRequest(url, {
      method: "DELETE",
      headers: { "Transfer-Encoding": "chunked", Trailer: "X-End" },
    });
    outgoing.write("one ");
    outgoing.addTrailers({ "X-End": "yes" });
    outgoing.end("two");
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];

    expect(await bodyOf(response)).toBe("one two");
    expect(response.trailers).toEqual({ "x-sum": "7" });
    expect(trailers).toEqual({ "x-end": "yes" });
  });

  it("passes on 100 Continue only once the server asks for the body", async () => {
    const { url, server } = await behindProxy(() => {});
    const events: string[] = [];
    server.on("checkContinue", async (request, response) => {
      await wait(50);
      events.push("server continues");
      response.writeContinue();
      events.push(await bodyOf(request));
      response.end();
    });
    const outgoing = httpRequest(url, { method: "POST", headers: { Expect: "100-continue", "Content-Length": 4 } });
    outgoing.flushHeaders();
    await once(outgoing, "continue");
    events.push("client continues");
    outgoing.end("body");
    await once(outgoing, "response");

    expect(events).toEqual(["server continues", "client continues", "body"]);
  });

  it("passes on a refusal before the body, and early hints", async () => {
    const { url, server } = await behindProxy((_, response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload; as=style" });
      response.end("hinted");
    });
    server.on("checkContinue", (_, response) => void response.writeHead(413).end("too large"));
    const refused = httpRequest(url, { method: "POST", headers: { Expect: "100-continue", "Content-Length": 4 } });
    refused.flushHeaders();
    const [refusal] = (await once(refused, "response")) as [IncomingMessage];
    const hinted = get(url);
    const [information] = await once(hinted, "information");

    expect(refusal.statusCode).toBe(413);
    refused.destroy();
    expect(information).toMatchObject({ statusCode: 103, headers: { link: "</style.css>; rel=preload; as=style" } });
  });

  it("streams large bodies as fast as they are read, and keeps only a bounded part", async () => {
    const mebibytes = Number(process.env.ACCORD_UPLOAD_MIB ?? 96);
    let received = 0;
    let paused = 0;
    const { url, exchanges } = await behindProxy(async (request, response) => {
      await wait(300);
      paused = sent;
      for await (const piece of request) received += piece.length;
      response.end(Buffer.alloc(10 * 2 ** 20));
    });
    const piece = Buffer.alloc(2 ** 20);
    const outgoing = httpRequest(url, { method: "POST", headers: { "Content-Length": mebibytes * piece.length } });
    const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
    let sent = 0;
    const before = process.memoryUsage().rss;
    let peak = before;
    for (; sent < mebibytes; sent++) {
      if (!outgoing.write(piece)) await once(outgoing, "drain");
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    outgoing.end();
    const [response] = await answered;
    const answer = await bodyOf(response);

    expect(received).toBe(mebibytes * piece.length);
    expect(answer.length).toBe(10 * 2 ** 20);
    // Data that fits into the buffers of the sockets.
    expect(paused).toBeLessThan(40);
    expect(peak - before).toBeLessThan(150 * 2 ** 20);
    await expect.poll(() => exchanges.length, generous).toBe(1);
    expect(exchanges[0]?.request).toMatchObject({ body: undefined, bodyBytes: received });
    expect(exchanges[0]?.response).toMatchObject({ body: undefined, bodyBytes: 10 * 2 ** 20 });
  });

  it("tells the server that a client disconnected", async () => {
    let isClosed = false;
    const { url, exchanges } = await behindProxy((_request, response) => {
      response.write("first ");
      response.once("close", () => {
        isClosed = true;
      });
    });
    const controller = new AbortController();
    const response = await fetch(url, { signal: controller.signal });
    controller.abort();

    expect(response.status).toBe(200);
    await expect.poll(() => isClosed, generous).toBe(true);
    await expect.poll(() => exchanges[0]?.interruption, generous).toBe("the client disconnected");
  });

  it("breaks off the response if the server does", async () => {
    const { url, exchanges } = await behindProxy((_request, response) => {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("only this", () => response.destroy());
    });
    const response = await fetch(url);

    await expect(response.text()).rejects.toThrow();
    await expect.poll(() => exchanges[0]?.interruption, generous).toBe("the server broke off its response");
  });

  it("answers 502 and says what to do if the server cannot be reached", async () => {
    const closed = createTcpServer();
    const port = await listenOn(closed);
    closed.close();
    const { url, exchanges } = await startProxy(`http://127.0.0.1:${port}`);
    const response = await fetch(url, { method: "POST", body: "x".repeat(100_000) });

    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({
      result: "error",
      msg: `The proxy got no response: http://127.0.0.1:${port} refuses connections. Start the server, or correct the URL that the proxy was given`,
    });
    await expect.poll(() => exchanges[0]?.response, generous).toBeUndefined();
    expect(exchanges[0]?.interruption).toContain("refuses connections");
  });

  it.each([
    [
      "closes the connection",
      (socket: Socket) => socket.once("data", () => socket.destroy()),
      502,
      "closed the connection",
    ],
    ["sends no HTTP", (socket: Socket) => socket.once("data", () => socket.end("SSH-2.0\r\n\r\n")), 502, "malformed"],
    ["stays silent", () => {}, 504, "sent nothing"],
  ])("answers with an error if the server %s", async (_, behave, status, text) => {
    const server = createTcpServer(behave);
    server.on("connection", (socket) => socket.on("error", () => {}));
    const sockets = new Set<Socket>();
    server.on("connection", (socket) => sockets.add(socket));
    const port = await listenOn(server);
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { url } = await startProxy(`http://127.0.0.1:${port}`, { maxSilenceMs: 300 });
    const response = await fetch(url);

    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
  });

  it("sends a request again if the server has just closed the idle connection", async () => {
    const sockets: Socket[] = [];
    const { url, server } = await behindProxy((_, response) => void response.end("ok"));
    server.on("connection", (socket) => sockets.push(socket));
    for (let round = 0; round < 20; round++) {
      const response = await fetch(url);
      expect([round, response.status]).toEqual([round, 200]);
      await response.text();
      for (const socket of sockets.splice(0)) socket.resetAndDestroy();
    }
  });

  it("answers pipelined requests in order", async () => {
    const { url } = await behindProxy(async (request, response) => {
      await wait(request.url === "/1" ? 100 : 0);
      response.end(`[${request.url}]`);
    });
    const lines = [1, 2, 3].map(
      (at) => `GET /${at} HTTP/1.1\r\nHost: x\r\n${at === 3 ? "Connection: close\r\n" : ""}\r\n`,
    );
    const answer = await raw(url, lines.join(""));

    expect(answer.match(/\[\/\d\]/g)).toEqual(["[/1]", "[/2]", "[/3]"]);
  });

  it("keeps a client behind the proxy if it follows redirects of the server", async () => {
    const { url, serverUrl } = await behindProxy((request, response) => {
      response.writeHead(request.url === "/" ? 201 : 200, { Location: `${serverUrl}/next?x=1` }).end();
    });
    const response = await fetch(url);

    expect(response.headers.get("Location")).toBe(`${url}/next?x=1`);
  });

  it("serves a client of HTTP/1.0", async () => {
    const { url } = await behindProxy((_, response) => {
      response.write("streamed ");
      response.end("text");
    });
    const answer = await raw(url, "GET / HTTP/1.0", "", "");

    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(answer).not.toMatch(/chunked/i);
    expect(answer).toMatch(/\r\n\r\nstreamed text$/);
  });

  it("stops keeping bodies once all of them together are too large", async () => {
    const { url, exchanges } = await behindProxy(
      async (request, response) => {
        await bodyOf(request);
        await wait(100);
        response.end();
      },
      { maxHeldBytes: 1500 },
    );
    await Promise.all([1, 2, 3].map(() => fetch(url, { method: "POST", body: "x".repeat(1000) })));
    await fetch(url, { method: "POST", body: "x".repeat(1000) });

    await expect.poll(() => exchanges.length, generous).toBe(4);
    expect(exchanges.filter(({ request }) => request.body === undefined)).toHaveLength(2);
    expect(exchanges.at(-1)?.request.body).toHaveLength(1000);
  });

  it("survives connections that send nothing or garbage", async () => {
    const { url } = await behindProxy((_, response) => void response.end("ok"));
    const { port } = new URL(url);
    const silent = connect(Number(port), "127.0.0.1");
    onTestFinished(() => void silent.destroy());

    expect(await raw(url, "NOT HTTP", "", "")).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw(url, "CONNECT example.com:443 HTTP/1.1", "Host: example.com", "", "")).toMatch(/^HTTP\/1\.1 501 /);
    expect(await (await fetch(url)).text()).toBe("ok");
  });
});

describe("a forwarder that changes JSON", () => {
  const latin1 = Buffer.from('{"name":"caf\xe9"}', "latin1");
  const nested = Buffer.from(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);

  /** Replaces `old` in texts, and fails on texts that are nested too deeply. */
  const change: ChangeAnswer = (_status, text) => {
    if (text.startsWith("[[")) throw new RangeError("Maximum call stack size exceeded");
    return text.replace("old", "another");
  };

  it.each([
    ["a text that it leaves as it is", 200, latin1],
    ["a text that is nested too deeply", 200, nested],
    ["an answer without a body", 204, Buffer.alloc(0)],
  ])("passes on the bytes and headers of %s", async (_, status, body) => {
    const { url } = await startServer((_request, response) => {
      response.writeHead(status, { "Content-Type": "application/json", ETag: '"1"' }).end(body);
    });
    const proxy = await startProxy(url, {}, change);
    const response = await fetch(`${proxy.url}/x`);

    expect([response.status, response.headers.get("ETag")]).toEqual([status, '"1"']);
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
    expect(response.headers.get("Content-Length")).toBe(status === 204 ? null : String(body.length));
  });

  it("drops headers about the bytes of a body that it changes", async () => {
    const { url } = await startServer((_request, response) => {
      const headers = { "Content-Type": "application/json", ETag: '"1"', "Content-MD5": "YQ==", "X-Kept": "1" };
      response.writeHead(200, headers).end('{"name":"old"}');
    });
    const response = await fetch(`${(await startProxy(url, {}, change)).url}/x`);

    expect(await response.text()).toBe('{"name":"another"}');
    const names = ["ETag", "Content-MD5", "X-Kept", "Content-Length"];
    expect(names.map((name) => response.headers.get(name))).toEqual([null, null, "1", "18"]);
  });
});
