import { connect as connectHttp2 } from "node:http2";
import { connect, createServer, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { proxyChat } from "../../../src/chat/traffic.js";
import { proxyDaemon } from "../../../src/daemon/traffic.js";
import { listenOn } from "../../support/listen-on.js";
import { startServer } from "../forward/start-forwarder.js";

/** Starts a relay of connections to a port that is set later. Counts them. */
async function startRelay() {
  const relay = { url: "", port: 0, connections: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    relay.connections++;
    sockets.add(socket);
    socket.on("error", () => {});
    if (relay.port === 0) return;
    const other = connect(relay.port, "127.0.0.1");
    sockets.add(other);
    other.on("error", () => socket.destroy());
    socket.pipe(other).pipe(socket);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  relay.url = `http://127.0.0.1:${await listenOn(server)}`;
  return relay;
}

const portOf = (url: string) => Number(new URL(url).port);
const message = "leads back to this proxy. Correct the URL";

describe("a proxy that leads to itself", () => {
  it("refuses a request that it has forwarded", async () => {
    const relay = await startRelay();
    const proxy = await proxyChat({ url: `${relay.url}/api/v1`, level: 415 });
    onTestFinished(proxy.close);
    relay.port = portOf(proxy.url);
    const response = await fetch(`${proxy.apiUrl}/server_settings`);

    expect(response.status).toBe(502);
    expect(await response.text()).toContain(message);
    expect(relay.connections).toBe(1);
  });

  it("refuses a call over HTTP/2 that it has forwarded", async () => {
    const relay = await startRelay();
    const proxy = await proxyDaemon({ address: relay.url });
    onTestFinished(proxy.close);
    relay.port = portOf(proxy.addresses[0] ?? "");
    const session = connectHttp2(proxy.addresses[0] ?? "");
    onTestFinished(() => session.destroy());
    const stream = session.request({ ":method": "POST", ":path": "/a.B/C", "content-type": "application/json" });
    stream.end("{}");
    let text = "";
    for await (const piece of stream) text += piece;

    expect(text).toContain(message);
    // The proxy also connects once when it starts.
    expect(relay.connections).toBe(2);
  });

  it.each(["127.0.0.1", "localhost", "0.0.0.0"])("does not start on %s", async (host) => {
    const free = createServer();
    const port = await listenOn(free);
    await new Promise((resolve) => free.close(resolve));
    const url = `http://127.0.0.1:${port}`;

    await expect(proxyChat({ url: `${url}/api/v1`, level: 415, host, port })).rejects.toThrow("forward to itself");
    await expect(proxyDaemon({ address: url, host, port })).rejects.toThrow("forward to itself");
  });

  it("passes on requests of another proxy", async () => {
    const { url } = await startServer((_, response) => void response.end("ok"));
    const inner = await proxyChat({ url: `${url}/api/v1`, level: 415 });
    const outer = await proxyChat({ url: inner.apiUrl, level: 415 });
    onTestFinished(async () => {
      await outer.close();
      await inner.close();
    });

    expect(await (await fetch(`${outer.url}/x`)).text()).toBe("ok");
  });
});
