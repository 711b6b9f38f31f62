import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { listenOn } from "../../support/listen-on.js";
import { behindProxy, bodyOf, raw, startProxy } from "./start-forwarder.js";

describe("createForwarder, when something fails", () => {
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
    await expect.poll(() => isClosed).toBe(true);
    await expect.poll(() => exchanges[0]?.interruption).toBe("the client disconnected");
  });

  it("breaks off the response if the server does", async () => {
    const { url, exchanges } = await behindProxy((_request, response) => {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("only this", () => response.destroy());
    });
    const response = await fetch(url);

    await expect(response.text()).rejects.toThrow();
    await expect.poll(() => exchanges[0]?.interruption).toBe("the server broke off its response");
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
    await expect.poll(() => exchanges[0]?.interruption).toContain("refuses connections");
    expect(exchanges[0]?.response).toBeUndefined();
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
    const { url } = await startProxy(`http://127.0.0.1:${port}`, {
      maxSilenceMs: text === "sent nothing" ? 300 : 300_000,
    });
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

  it("stops keeping bodies once all of them together are too large", async () => {
    let received = 0;
    const { url, exchanges } = await behindProxy(
      async (request, response) => {
        await bodyOf(request);
        received++;
        while (received < 3) await wait(10);
        response.end();
      },
      { maxHeldBytes: 1500 },
    );
    await Promise.all([1, 2, 3].map(() => fetch(url, { method: "POST", body: "x".repeat(1000) })));
    await fetch(url, { method: "POST", body: "x".repeat(1000) });

    await expect.poll(() => exchanges.length).toBe(4);
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
