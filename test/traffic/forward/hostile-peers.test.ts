import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { exchangeBytes } from "../../support/raw-http.js";
import { brokenBodies, malformedHeads, oddRequests, oddResponses, startRawServer } from "./hostile-peers.js";
import { behindProxy, startProxy } from "./start-forwarder.js";

const request = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

async function send(url: string, bytes = request): Promise<string> {
  return (await exchangeBytes(url, Buffer.from(bytes, "latin1"), false)).toString("latin1");
}

const changes = [
  ["unchanged", undefined],
  ["changed if they are JSON", (_status: number, text: string) => `${text} `],
] as const;

describe.each(changes)("a forwarder that passes on responses %s", (_, change) => {
  it.each(malformedHeads)("answers 502 if the server sends $name, and says that it is malformed", async (row) => {
    const server = await startRawServer(row.bytes.replace("\r\n", "\r\nContent-Type: application/json\r\n"));
    const { url, exchanges } = await startProxy(server, {}, change);

    expect(await send(url)).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n[\s\S]*The proxy got no response/);
    await expect.poll(() => exchanges.length).toBe(1);
    expect(exchanges[0]?.malformed).toContain(row.problem);
    expect(exchanges[0]?.interruption).toBeUndefined();
    expect(exchanges[0]?.response).toBeUndefined();
  });

  it.each(oddResponses)("passes on a server's response with %s", async (_name, bytes, status) => {
    const { url, exchanges } = await startProxy(await startRawServer(bytes), {}, change);
    const answers = [await send(url), await send(url)];

    for (const answer of answers) expect(answer).toContain(`HTTP/1.1 ${status} `);
    await expect.poll(() => exchanges.length).toBe(2);
  });

  it.each(brokenBodies)("breaks off the response if the server sends %s", async (_name, bytes, reason) => {
    const { url, exchanges } = await startProxy(await startRawServer(bytes), {}, change);
    const answers = [await send(url), await send(url)];

    for (const answer of answers) expect(answer).not.toMatch(/\r\n0\r\n/);
    await expect.poll(() => exchanges.length).toBe(2);
    for (const { malformed, interruption } of exchanges) expect(`${malformed} ${interruption}`).toContain(reason);
  });
});

describe("a forwarder", () => {
  it.each(oddRequests)("survives %s of a client", async (_, bytes) => {
    const { url } = await behindProxy((incoming, response) => {
      incoming.resume();
      response.end("ok");
    });
    const { port, hostname } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.end(Buffer.from(bytes, "latin1"));
    socket.resume();
    await new Promise((resolve) => socket.once("close", resolve));

    expect(await send(url)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/);
  });

  it("blames nobody if the server speaks another protocol", async () => {
    const { url, exchanges } = await startProxy(await startRawServer("\0\0\x12\x04\0\0\0\0\0\0"));

    expect(await send(url)).toMatch(/^HTTP\/1\.1 502 /);
    await expect.poll(() => exchanges[0]?.interruption).toContain("HPE_INVALID_CONSTANT");
    expect(exchanges[0]?.malformed).toBeUndefined();
  });

  it("ends only the exchange in which this package fails", async () => {
    const server = await startRawServer(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    );
    let calls = 0;
    const { url, exchanges } = await startProxy(server, {}, (_, text) => {
      if (calls++ === 0) throw new TypeError("x is not a function");
      return text;
    });

    expect(await send(url)).toMatch(/^HTTP\/1\.1 502 [\s\S]*a fault of this package[\s\S]*x is not a function/);
    expect(await send(url)).toMatch(/^HTTP\/1\.1 200 /);
    await expect.poll(() => exchanges.length).toBe(2);
    expect(exchanges[0]).toMatchObject({ interruption: expect.stringContaining("a fault of this package") });
    expect(exchanges[0]?.malformed).toBeUndefined();
  });
});
