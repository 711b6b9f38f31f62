import { networkInterfaces } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { proxyChat } from "../../../src/chat/traffic.js";
import { proxyDaemon } from "../../../src/daemon/traffic.js";
import { startRawServer } from "../forward/hostile-peers.js";
import { raw } from "../forward/start-forwarder.js";

/** An address of this machine other than loopback, if it has one. */
const [external] = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .flatMap(({ address, internal, family }) => (internal || family !== "IPv4" ? [] : address));

async function startChat(host: string): Promise<string> {
  const proxy = await proxyChat({ url: `${await startRawServer("")}/api/v1`, level: 415, host });
  onTestFinished(proxy.close);
  return proxy.url;
}

async function startDaemon(host: string): Promise<string> {
  const proxy = await proxyDaemon({ address: await startRawServer(""), host });
  onTestFinished(proxy.close);
  return proxy.addresses[0] ?? "";
}

async function status(url: string, name: string, line = "GET /accord/report", body = "", at = "127.0.0.1") {
  const headers = ["Content-Type: application/json", `Content-Length: ${body.length}`, "Connection: close"];
  const where = url.replace(/\/\/.*:/, `//${at}:`);
  const answer = await raw(where, `${line} HTTP/1.1`, `Host: ${name}`, ...headers, "", body);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

describe.each([
  ["chat", startChat],
  ["daemon", startDaemon],
])("the own endpoints of a proxy of %s clients", (_, start) => {
  it.each(["evil.example", "evil.example:4015", "127.0.0.1.evil.example", "localhost.evil.example", "203.0.113.9", ""])(
    "refuse a page that names this machine '%s'",
    async (name) => {
      const url = await start("127.0.0.1");

      expect(await status(url, name)).toBe(403);
      expect(await status(url, name, "POST /accord/next", '{"case":"x/y"}')).toBe(403);
    },
  );

  it.each(["localhost", "LOCALHOST:4015", "127.0.0.1:1", "[::1]:4015", "proxy.localhost"])(
    "answer requests to %s",
    async (name) => {
      const url = await start("127.0.0.1");

      expect(await status(url, name)).toBe(200);
      expect(await status(url, name, "POST /accord/next", '{"case":"x/y"}')).toBe(400);
    },
  );

  it.skipIf(external === undefined)("answer requests to the address that the client reached", async () => {
    const url = await start("0.0.0.0");

    expect(await status(url, `${external}:4015`, undefined, undefined, external)).toBe(200);
    expect(await status(url, "evil.example", undefined, undefined, external)).toBe(403);
  });

  it("answer requests to the name that the proxy listens on", async () => {
    expect(await status(await start("localhost"), "localhost")).toBe(200);
  });
});
