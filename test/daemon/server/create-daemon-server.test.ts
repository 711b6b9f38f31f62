import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError, type ConnectRouter, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  Health,
  HealthCheckResponse_ServingStatus as Status,
} from "../../../generated/daemon/grpc/health/v1/health_pb.js";
import { ServerReflection } from "../../../generated/daemon/grpc/reflection/v1/reflection_pb.js";
import { createDaemonClient, type DaemonProtocol, ProxySubscriptions } from "../../../src/daemon/index.js";
import {
  createDaemonServer,
  type DaemonServer,
  type DaemonServerAddress,
} from "../../../src/daemon/server/create-daemon-server.js";
import { ListenError } from "../../../src/listen-error.js";

const protocols: readonly DaemonProtocol[] = ["grpc", "grpc-web", "connect"];
const echo = (router: ConnectRouter) =>
  router.service(ProxySubscriptions, { selectNode: ({ id, selectedOrdinal }) => ({ id, selectedOrdinal }) });

let folder = "";
const stops: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "server-"));
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  rmSync(folder, { recursive: true });
});

async function serve(
  address: DaemonServerAddress = {},
  routes: (router: ConnectRouter) => void = echo,
): Promise<DaemonServer> {
  const server = await createDaemonServer({ ...address, routes });
  stops.push(() => server.close().catch(() => {}));
  return server;
}

function clientOf({ addresses }: DaemonServer, protocol: DaemonProtocol = "grpc") {
  const client = createDaemonClient({ address: addresses[0] ?? "", protocol });
  stops.push(client.close);
  return client.proxySubscriptions;
}

const urlOf = ({ addresses }: DaemonServer) => new URL(addresses[0] ?? "");

describe("the addresses of a daemon", () => {
  it("are the port and the socket that are asked for", async () => {
    const { addresses } = await serve({ port: 0, socket: join(folder, "d.sock") });
    expect(addresses).toEqual([expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), `unix:${join(folder, "d.sock")}`]);
  });

  it("are only the socket when no port is asked for", async () => {
    expect((await serve({ socket: join(folder, "d.sock") })).addresses).toEqual([`unix:${join(folder, "d.sock")}`]);
  });

  it("name a port that is in use", async () => {
    const port = Number(urlOf(await serve()).port);
    await expect(serve({ port })).rejects.toThrow(ListenError);
    await expect(serve({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use`);
  });

  it("are given back when one of them cannot be had", async () => {
    const taken = await serve();
    const port = Number(urlOf(taken).port);
    await taken.close();
    await expect(serve({ port, socket: join(folder, "missing/d.sock") })).rejects.toThrow(ListenError);
    expect((await serve({ port })).addresses).toHaveLength(1);
  });
});

describe("the Unix socket", () => {
  it("can be used by its owner only, and is gone after closing", async () => {
    const socket = join(folder, "d.sock");
    const server = await serve({ socket });
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    await server.close();
    expect(existsSync(socket)).toBe(false);
  });

  it("leaves the mask of the process as it was", async () => {
    const before = process.umask();
    await serve({ socket: join(folder, "d.sock") });
    expect(process.umask()).toBe(before);
  });

  it("replaces a socket whose process is dead", async () => {
    const socket = join(folder, "d.sock");
    const dead = createServer().listen(join(folder, "other.sock"));
    await once(dead, "listening");
    renameSync(join(folder, "other.sock"), socket);
    await new Promise((resolve) => dead.close(resolve));
    expect(existsSync(socket)).toBe(true);
    const server = await serve({ socket });
    expect(await clientOf(server).selectNode({ id: 1 })).toMatchObject({ id: 1 });
  });

  it("refuses a socket where somebody listens, and leaves it alone", async () => {
    const socket = join(folder, "d.sock");
    const first = await serve({ socket });
    await expect(serve({ socket })).rejects.toThrow(`The socket ${socket} is already in use`);
    expect(await clientOf(first).selectNode({ id: 1 })).toMatchObject({ id: 1 });
  });

  it.each([
    ["a file is there", "file", "exists and is no socket"],
    ["its folder is missing", "missing/d.sock", "does not exist"],
    ["its path is too long", "x".repeat(120), "is longer than"],
  ])("is refused when %s", async (_, name, problem) => {
    writeFileSync(join(folder, "file"), "mine");
    await expect(serve({ socket: join(folder, name) })).rejects.toThrow(ListenError);
    await expect(serve({ socket: join(folder, name) })).rejects.toThrow(problem);
    expect(existsSync(join(folder, "file"))).toBe(true);
  });

  it.skipIf(process.getuid?.() === 0)("is refused when its folder is not ours", async () => {
    chmodSync(folder, 0o500);
    await expect(serve({ socket: join(folder, "d.sock") })).rejects.toThrow("Cannot listen on the socket");
    chmodSync(folder, 0o700);
  });
});

describe("one port", () => {
  const body = JSON.stringify({ id: 7 });
  const post = `POST /daemon.v1.ProxySubscriptions/SelectNode HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  it.each(protocols)("speaks %s", async (protocol) => {
    expect(await clientOf(await serve(), protocol).selectNode({ id: 7 })).toMatchObject({ id: 7 });
  });

  it("understands HTTP/1.1 that comes byte by byte", async () => {
    const socket = connect(Number(urlOf(await serve()).port), "127.0.0.1");
    socket.setNoDelay(true);
    for (const byte of post.slice(0, 5)) {
      socket.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.write(post.slice(5));
    const chunks = await socket.toArray();
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 OK[^]*\{"id":7\}$/);
  });

  it("understands HTTP/2 that comes byte by byte", async () => {
    const socket = connect(Number(urlOf(await serve()).port), "127.0.0.1");
    stops.push(() => socket.destroy());
    socket.setNoDelay(true);
    for (const byte of "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") {
      socket.write(byte, "latin1");
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    // An empty SETTINGS frame; the server answers with its own.
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    const [chunk] = await once(socket, "data");
    expect(chunk[3]).toBe(4);
  });

  it("survives what is not HTTP", async () => {
    const server = await serve();
    const socket = connect(Number(urlOf(server).port), "127.0.0.1");
    socket.write(Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05]));
    await Promise.race([once(socket, "close"), once(socket, "data"), once(socket, "error")]);
    socket.destroy();
    expect(await clientOf(server).selectNode({ id: 7 })).toMatchObject({ id: 7 });
  });
});

describe("web pages", () => {
  async function call(server: DaemonServer, method: string, headers: Record<string, string>) {
    const sent = httpRequest(new URL("/daemon.v1.ProxySubscriptions/SelectNode", urlOf(server)), { method, headers });
    sent.end(method === "POST" ? "{}" : undefined);
    const [response] = await once(sent, "response");
    const text = Buffer.concat(await response.toArray()).toString();
    return { status: response.statusCode, headers: response.headers, text };
  }

  it.each([
    "https://evil.example",
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "null",
    "file://",
    "x",
  ])("of %s are refused", async (origin) => {
    let calls = 0;
    const server = await serve({}, (router) =>
      router.service(ProxySubscriptions, { selectNode: () => ({ id: ++calls }) }),
    );
    const { status, headers } = await call(server, "POST", { origin, "content-type": "application/json" });
    expect({ status, calls, cors: headers["access-control-allow-origin"] }).toEqual({
      status: 403,
      calls: 0,
      cors: undefined,
    });
  });

  it("are refused under a name of their own that leads here", async () => {
    const server = await serve();
    const host = `rebound.example:${urlOf(server).port}`;
    expect((await call(server, "POST", { host, origin: `http://${host}` })).status).toBe(403);
  });

  it.each(["http://localhost:5173", "http://127.0.0.1:4020", "https://app.localhost", "http://[::1]:80"])(
    "of %s may call and read the answer",
    async (origin) => {
      const server = await serve();
      const preflight = await call(server, "OPTIONS", {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type,prefer",
      });
      expect(preflight).toMatchObject({
        status: 204,
        headers: { "access-control-allow-origin": origin, "access-control-allow-headers": "content-type,prefer" },
      });
      expect(preflight.headers["access-control-allow-methods"]).toContain("POST");
      const answer = await call(server, "POST", { origin, "content-type": "application/json" });
      expect(answer).toMatchObject({ status: 200, headers: { "access-control-allow-origin": origin, vary: "Origin" } });
      expect(answer.headers["access-control-expose-headers"]?.toString().toLowerCase()).toContain("grpc-status");
    },
  );
});

describe("errors", () => {
  it.each(protocols)("keep the text of an unexpected error from callers (%s)", async (protocol) => {
    const routes = (router: ConnectRouter) =>
      router.service(ProxySubscriptions, {
        selectNode: () => {
          throw new Error("s3cret");
        },
      });
    const error = await clientOf(await serve({}, routes), protocol)
      .selectNode({})
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConnectError);
    expect(error).toMatchObject({ code: Code.Internal });
    expect(String(error)).not.toContain("s3cret");
  });

  it("refuse a request beyond 4 MiB", async () => {
    const call = clientOf(await serve()).previewImport({ url: "x".repeat(5 * 1024 * 1024) });
    await expect(call).rejects.toMatchObject({ code: Code.ResourceExhausted });
  });
});

describe("closing", () => {
  function gate() {
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    return { open, opened };
  }

  it.each(protocols)("lets a call under way finish (%s)", async (protocol) => {
    const [begun, finish] = [gate(), gate()];
    const server = await serve({}, (router) =>
      router.service(ProxySubscriptions, {
        selectNode: async ({ id }) => {
          begun.open();
          await finish.opened;
          return { id };
        },
      }),
    );
    const client = clientOf(server, protocol);
    const call = client.selectNode({ id: 7 });
    await begun.opened;
    const closed = server.close();
    finish.open();
    expect(await call).toMatchObject({ id: 7 });
    await closed;
    await expect(client.selectNode({})).rejects.toMatchObject({ code: Code.Unavailable });
  });

  it("does not wait for connections that are idle or silent", async () => {
    const server = await serve();
    const silent = connect(Number(urlOf(server).port), "127.0.0.1");
    stops.push(() => silent.destroy());
    await once(silent, "connect");
    for (const protocol of protocols) await clientOf(server, protocol).selectNode({});
    await server.close();
  });

  it("ends a call that never ends after a while", async () => {
    const begun = gate();
    const server = await serve({}, (router) =>
      router.service(ProxySubscriptions, {
        selectNode: () => {
          begun.open();
          return new Promise(() => {});
        },
      }),
    );
    const call = clientOf(server).selectNode({});
    await Promise.all([begun.opened, Promise.race([call.catch(() => {}), begun.opened])]);
    await server.close();
    await expect(call).rejects.toThrow(ConnectError);
  });

  it("may be done twice", async () => {
    const server = await serve();
    await Promise.all([server.close(), server.close()]);
    await server.close();
  });
});

describe("health and reflection", () => {
  const transportOf = (server: DaemonServer) =>
    createGrpcTransport({ baseUrl: urlOf(server).origin, idleConnectionTimeoutMs: 0 });

  it("say that the daemon and its services serve", async () => {
    const health = createClient(Health, transportOf(await serve()));
    expect(await health.check({})).toMatchObject({ status: Status.SERVING });
    expect(await health.check({ service: "daemon.v1.ProxySubscriptions" })).toMatchObject({ status: Status.SERVING });
    await expect(health.check({ service: "other" })).rejects.toMatchObject({ code: Code.NotFound });
    expect(Object.keys((await health.list({})).statuses)).toContain("daemon.v1.ProxySubscriptions");
  });

  it("tell watchers that the daemon closes", async () => {
    const server = await serve();
    const statuses: Status[] = [];
    for await (const { status } of createClient(Health, transportOf(server)).watch({})) {
      statuses.push(status);
      if (status === Status.SERVING) void server.close();
    }
    expect(statuses).toEqual([Status.SERVING, Status.NOT_SERVING]);
  });

  it("tell watchers of an unknown service so, and wait with them", async () => {
    const server = await serve();
    const statuses: Status[] = [];
    for await (const { status } of createClient(Health, transportOf(server)).watch({ service: "other" })) {
      statuses.push(status);
      void server.close();
    }
    expect(statuses).toEqual([Status.SERVICE_UNKNOWN]);
  });

  it.each([
    [{ case: "listServices", value: "" } as const, "listServicesResponse"],
    [{ case: "fileByFilename", value: "daemon/v1/proxy_subscriptions.proto" } as const, "fileDescriptorResponse"],
    [{ case: "fileByFilename", value: "other.proto" } as const, "errorResponse"],
    [{ case: "fileContainingSymbol", value: "daemon.v1.ProxySubscriptions" } as const, "fileDescriptorResponse"],
    [
      { case: "fileContainingSymbol", value: "daemon.v1.ProxySubscriptions.SelectNode" } as const,
      "fileDescriptorResponse",
    ],
    [
      { case: "fileContainingSymbol", value: "grpc.health.v1.HealthCheckResponse.ServingStatus" } as const,
      "fileDescriptorResponse",
    ],
    [{ case: "fileContainingSymbol", value: "other" } as const, "errorResponse"],
    [{ case: "allExtensionNumbersOfType", value: "daemon.v1.ProxySubscriptions" } as const, "errorResponse"],
  ])("answer %j with %s", async (messageRequest, want) => {
    const reflection = createClient(ServerReflection, transportOf(await serve()));
    async function* question() {
      yield { messageRequest };
    }
    const answers: (string | undefined)[] = [];
    for await (const { messageResponse } of reflection.serverReflectionInfo(question()))
      answers.push(messageResponse.case);
    expect(answers).toEqual([want]);
  });
});
