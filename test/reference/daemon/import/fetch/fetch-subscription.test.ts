import { setTimeout as delay } from "node:timers/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { answerOf, refusingPort, startHost } from "./start-host.js";
import { messageOf, networkTo, publicAddress, secret, tryFetch } from "./try-fetch.js";

const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
const mib = 1024 * 1024;

describe("fetchSubscription", () => {
  it("sends path and query with fixed headers, and omits the fragment", async () => {
    const host = await startHost(answerOf(200));
    await tryFetch(`http://127.0.0.1:${host.port}/s/%2Fa%20b?x=1&y#key=${secret}`);
    const [line, ...headers] = host.requests[0]?.trimEnd().split("\r\n") ?? [];
    expect(line).toBe("GET /s/%2Fa%20b?x=1&y HTTP/1.1");
    expect(headers).toEqual([
      `Host: 127.0.0.1:${host.port}`,
      expect.stringMatching(/^User-Agent: accord-daemon\/\d+\.\d+\.\d+$/),
      "Accept: */*",
      "Accept-Encoding: gzip, br",
      "Connection: close",
    ]);
  });

  it.each([
    ["grace:vX9pLm3QwE@", "grace:vX9pLm3QwE"],
    ["tok-5b1f8e0a2d@", "tok-5b1f8e0a2d:"],
    [":only@", ":only"],
    ["gr%C3%A4ce:s%C3%BC%C3%9F%2Fes%20Geheimnis@", "gräce:süß/es Geheimnis"],
    ["a%3Ab:c%ZZd@", "a:b:c%ZZd"],
  ])("sends %s as Basic credentials, not in the request line", async (userInfo, want) => {
    const host = await startHost(answerOf(200));
    await tryFetch(`http://${userInfo}127.0.0.1:${host.port}/s`);
    const [, sent = ""] = /^Authorization: Basic (.*)$/m.exec(host.requests[0] ?? "") ?? [];
    expect(Buffer.from(sent.trim(), "base64").toString("utf8")).toBe(want);
    expect(host.requests[0]).toMatch(/^GET \/s HTTP\/1.1\r\nHost: 127\.0\.0\.1:\d+\r\n/);
  });

  it("closes the connection afterwards", async () => {
    const host = await startHost((socket) => socket.write(answerOf(200, { Connection: "keep-alive" }, "x")));
    await tryFetch(`http://127.0.0.1:${host.port}/`);
    await expect.poll(host.open).toBe(0);
  });
});

describe("the response", () => {
  it("is returned with body and headers", async () => {
    const title = "Über 香港";
    const headers = { "Profile-Title": title, "Content-Disposition": `attachment; filename="${title}"` };
    const host = await startHost(answerOf(200, headers, "trojan://…"));
    expect(await tryFetch(`http://127.0.0.1:${host.port}/`)).toEqual({
      fetched: {
        body: Buffer.from("trojan://…"),
        headers: { profileTitle: title, contentDisposition: `attachment; filename="${title}"` },
        redirects: [],
      },
    });
  });

  it("may have headers in Latin-1", async () => {
    const host = await startHost(Buffer.from("HTTP/1.1 200 OK\r\nProfile-Title: \xdcber\r\n\r\n", "latin1"));
    expect((await tryFetch(`http://127.0.0.1:${host.port}/`)).fetched?.headers).toEqual({ profileTitle: "Über" });
  });

  it.each([
    ["with a length", answerOf(200, {}, "body"), "body"],
    ["until the end of the connection", "HTTP/1.1 200 OK\r\n\r\nbody", "body"],
    ["in chunks", `${chunked}2\r\nbo\r\n2;x=y\r\ndy\r\n0\r\nTrailer: x\r\n\r\n`, "body"],
    ["in HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\nbody", "body"],
    ["empty", answerOf(200), ""],
    ["204", "HTTP/1.1 204 No Content\r\n\r\n", ""],
    ["203", answerOf(203, {}, "body"), "body"],
    ["after interim answers", `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${answerOf(200, {}, "body")}`, "body"],
    ["followed by more than its length", `${answerOf(200, {}, "body")}and more`, "body"],
  ])("is accepted: %s", async (_, bytes, want) => {
    const host = await startHost(bytes);
    expect((await tryFetch(`http://127.0.0.1:${host.port}/`)).fetched?.body.toString()).toBe(want);
  });

  it.each([
    [302, "Unavailable"],
    [304, "Unavailable"],
    [400, "FailedPrecondition"],
    [429, "FailedPrecondition"],
    [503, "Unavailable"],
    [599, "Unavailable"],
  ])("is never quoted in errors: HTTP %s becomes %s", async (status, code) => {
    const host = await startHost((socket, head) =>
      socket.end(answerOf(status, { "X-Asked": head.slice(4, 30) }, head)),
    );
    const url = `http://${secret}@127.0.0.1:${host.port}`;
    const message = `The host answered HTTP ${status} (http://127.0.0.1:${host.port})`;
    expect(await tryFetch(`${url}/${secret}?${secret}`)).toEqual({ code, message });
  });

  it("may have exactly 16 MiB", async () => {
    const host = await startHost(answerOf(200, {}, Buffer.alloc(16 * mib, 1)));
    expect((await tryFetch(`http://127.0.0.1:${host.port}/`)).fetched?.body.length).toBe(16 * mib);
  });
});

describe("a misbehaving host", () => {
  const lost = "The connection ended before the answer did";
  const notHttp = "The host did not answer in HTTP";
  const tooLarge = "The subscription is too large";
  it.each([
    ["hangs up at once", "", lost],
    ["hangs up in the status line", "HTTP/1.1 20", lost],
    ["hangs up in the headers", "HTTP/1.1 200 OK\r\nContent-Le", lost],
    ["hangs up before the length", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody", lost],
    ["hangs up in a chunk", `${chunked}9\r\nbody`, lost],
    ["hangs up after a chunk", `${chunked}4\r\nbody\r\n`, lost],
    ["answers in another protocol", `-ERR unknown command '/s/${secret}'\r\n`, notHttp],
    ["answers in HTTP/0.9", `trojan://${secret}@h:443\r\n`, notHttp],
    ["answers binary", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), notHttp],
    ["sends a header without a colon", `HTTP/1.1 200 OK\r\n${secret}\r\n\r\n`, notHttp],
    ["sends two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nbody", notHttp],
    ["sends a length that is not a number", `HTTP/1.1 200 OK\r\nContent-Length: ${secret}\r\n\r\nbody`, notHttp],
    ["sends chunks without a size", `${chunked}${secret}zz\r\nbody\r\n0\r\n\r\n`, notHttp],
    ["sends a status without a number", "HTTP/1.1 OK\r\n\r\n", notHttp],
    ["sends large headers", `HTTP/1.1 200 OK\r\nX: ${secret.repeat(1_100)}\r\n\r\n`, tooLarge],
    ["sends many headers", `HTTP/1.1 200 OK\r\n${`X: ${secret}\r\n`.repeat(1_000)}\r\n`, tooLarge],
    ["sends large trailers", `${chunked}0\r\nX: ${secret.repeat(1_100)}\r\n\r\n`, tooLarge],
    ["announces too much", `HTTP/1.1 200 OK\r\nContent-Length: ${16 * mib + 1}\r\n\r\n`, tooLarge],
    ["sends too much", Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n\r\n"), Buffer.alloc(16 * mib + 1)]), tooLarge],
    [
      "switches protocols",
      "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nx",
      "The host answered HTTP 101",
    ],
  ])("causes an error if it %s", async (_, bytes, message) => {
    const host = await startHost(bytes);
    const url = `http://127.0.0.1:${host.port}`;
    expect(await messageOf(`${url}/s/${secret}`)).toBe(`${message} (${url})`);
    await expect.poll(host.open).toBe(0);
  });

  it.each([
    ["before the answer", ""],
    ["in the headers", "HTTP/1.1 200 OK\r\nX: "],
    ["in a chunk", `${chunked}9\r\nbody`],
    ["in a body with a length", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody"],
  ])("causes an error if it resets the connection %s", async (_, bytes) => {
    const host = await startHost((socket) => socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20)));
    const url = `http://127.0.0.1:${host.port}`;
    expect(await tryFetch(`${url}/${secret}`)).toEqual({ code: "Unavailable", message: `${lost} (${url})` });
  });

  it("causes no additional memory use by sending single bytes", async () => {
    const bytes = 100_000;
    const host = await startHost(`${chunked}${"1\r\nx\r\n".repeat(bytes)}0\r\n\r\n`);
    expect((await tryFetch(`http://127.0.0.1:${host.port}/`)).fetched?.body.toString()).toBe("x".repeat(bytes));
  });

  it.each([
    ["an error page", "HTTP/1.1 404 Not Found\r\n\r\n", "The host answered HTTP 404"],
    ["a body that is too large", `HTTP/1.1 200 OK\r\nContent-Length: ${16 * mib + 1}\r\n\r\n`, tooLarge],
  ])("is disconnected without waiting for the end of %s", async (_, head, message) => {
    const host = await startHost((socket) => socket.write(`${head}more`));
    const url = `http://127.0.0.1:${host.port}`;
    expect(await messageOf(url)).toBe(`${message} (${url})`);
    await expect.poll(host.open).toBe(0);
  });

  it("is reported if it refuses connections", async () => {
    const url = `http://127.0.0.1:${await refusingPort()}`;
    expect(await messageOf(`${url}/${secret}`)).toBe(`The connection was refused (${url})`);
  });

  it("causes an error with port 0", async () => {
    expect(await messageOf(`http://127.0.0.1:0/${secret}`)).toMatch(
      /^The (connection|host) .* \(http:\/\/127.0.0.1:0\)$/,
    );
  });

  it.each([
    ["nothing", ""],
    ["half a header", "HTTP/1.1 200 OK\r\nX: "],
    ["an unfinished redirect", "HTTP/1.1 302 Found\r\nLocation: /x\r\n"],
    ["headers and no body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"],
    ["half a body", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbody"],
    ["only interim responses", "HTTP/1.1 102 Processing\r\n\r\n".repeat(100)],
  ])("causes a timeout after it sends %s", async (_, bytes) => {
    const host = await startHost((socket) => socket.write(bytes));
    const url = `http://127.0.0.1:${host.port}`;
    const message = `The host did not answer in time (${url})`;
    expect(await tryFetch(`${url}/${secret}`, { timeoutMs: 150 })).toEqual({ code: "DeadlineExceeded", message });
    await expect.poll(host.open).toBe(0);
  });

  it("has one deadline for all redirects", async () => {
    const host = await startHost((socket, _, count) =>
      setTimeout(() => socket.end(answerOf(302, { Location: `/${count}` })), 80),
    );
    expect(await messageOf(`http://127.0.0.1:${host.port}/`, { timeoutMs: 200 })).toContain("did not answer in time");
    await expect.poll(host.open).toBe(0);
  });

  it("causes a timeout if its name resolves too slowly", async () => {
    const network = networkTo(1, { resolve: () => delay(60_000, [publicAddress], { ref: false }) });
    const message = await messageOf(`https://sub.northwind.example/${secret}`, { timeoutMs: 50, network });
    expect(message).toBe("The host did not answer in time (https://sub.northwind.example)");
  });
});

describe("a caller that disconnects", () => {
  const going = (reason?: unknown) => {
    const caller = new AbortController();
    setTimeout(() => caller.abort(reason), 50);
    return caller.signal;
  };

  it("ends a request that waits for a response", async () => {
    const host = await startHost(() => {});
    expect(await tryFetch(`http://127.0.0.1:${host.port}/${secret}`, { signal: going() })).toMatchObject({
      code: "Canceled",
    });
    await expect.poll(host.open).toBe(0);
  });

  it("ends a request whose body is being read", async () => {
    const host = await startHost((socket) => socket.write("HTTP/1.1 200 OK\r\n\r\nbody"));
    expect(await tryFetch(`http://127.0.0.1:${host.port}/${secret}`, { signal: going() })).toMatchObject({
      code: "Canceled",
    });
    await expect.poll(host.open).toBe(0);
  });

  it("prevents the request if it has already disconnected", async () => {
    const host = await startHost(answerOf(200));
    const signal = AbortSignal.abort(new Error(secret));
    expect(await tryFetch(`http://127.0.0.1:${host.port}/${secret}`, { signal })).toMatchObject({ code: "Canceled" });
    expect(host.connections()).toBe(0);
  });

  it("gets DeadlineExceeded if its deadline has passed", async () => {
    const host = await startHost(() => {});
    const signal = going(new ConnectError("the operation timed out", Code.DeadlineExceeded));
    expect(await tryFetch(`http://127.0.0.1:${host.port}/${secret}`, { signal })).toMatchObject({
      code: "DeadlineExceeded",
    });
  });
});
