import { once } from "node:events";
import { get, request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ChangeAnswer } from "../../../src/traffic/forward/passage.js";
import { listenOn } from "../../support/listen-on.js";
import { behindProxy, bodyOf, raw, startProxy, startServer } from "./start-forwarder.js";

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
    await expect.poll(() => exchanges.length).toBe(1);
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
    expect(headers).toMatchObject({ "x-public": "2", via: expect.stringMatching(/^1\.1 accord-[0-9a-f]{12}$/) });
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

  it("passes on early hints, and a refusal that precedes the body of the request", async () => {
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

  it("forwards HTTP/2 to a server of HTTP/2, with trailers in both directions", async () => {
    const server = createHttp2Server((request, response) => {
      request.on("end", () => {
        response.writeHead(200, { "x-sum": request.trailers["x-end"], "x-via": request.headers.via });
        response.write("answer");
        response.addTrailers({ "x-status": "0" });
        response.end();
      });
      request.resume();
    });
    onTestFinished(() => void server.close());
    const { url, exchanges } = await startProxy(`http://127.0.0.1:${await listenOn(server)}`);
    const session = connectHttp2(url);
    onTestFinished(() => session.destroy());
    const stream = session.request({ ":method": "POST", ":path": "/a?b" }, { waitForTrailers: true });
    stream.once("wantTrailers", () => stream.sendTrailers({ "x-end": "7" }));
    const ended = Promise.all([once(stream, "response"), once(stream, "trailers")]);
    stream.end("request");
    stream.resume();
    const [[head], [trailers]] = await ended;

    expect(head).toMatchObject({ ":status": 200, "x-sum": "7", "x-via": expect.stringMatching(/^2\.0 accord-/) });
    expect(trailers).toMatchObject({ "x-status": "0" });
    await expect.poll(() => exchanges.length).toBe(1);
    expect(exchanges[0]).toMatchObject({
      request: { method: "POST", target: "/a?b", trailers: { "x-end": "7" }, bodyBytes: 7 },
      response: { status: 200, trailers: { "x-status": "0" }, bodyBytes: 6 },
    });
    expect(exchanges[0]?.interruption).toBeUndefined();
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
    await expect.poll(() => exchanges.length).toBe(1);
    expect(exchanges[0]?.request).toMatchObject({ body: undefined, bodyBytes: received });
    expect(exchanges[0]?.response).toMatchObject({ body: undefined, bodyBytes: 10 * 2 ** 20 });
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
    ["a text that it leaves unchanged", 200, latin1],
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
