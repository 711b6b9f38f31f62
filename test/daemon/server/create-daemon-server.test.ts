import { once } from "node:events";
import { connect } from "node:net";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../../generated/grpc/health/v1/health_pb.js";
import { ServerReflection } from "../../../generated/grpc/reflection/v1/reflection_pb.js";
import type { DaemonProtocol, DaemonServer } from "../../../src/daemon/index.js";
import { gate } from "./gate.js";
import { clientOf, serve, stopLater, urlOf } from "./serve.js";

const protocols: readonly DaemonProtocol[] = ["grpc", "grpc-web", "connect"];

describe("the port of a daemon", () => {
  const body = JSON.stringify({ id: 7 });
  const post = `POST /proxydaemon.v1.ProxySubscriptions/SelectNode HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

  it("reads HTTP/1.1 that arrives byte by byte", async () => {
    const socket = connect(Number(urlOf(await serve()).port), "127.0.0.1");
    socket.setNoDelay(true);
    for (const byte of post.slice(0, 5)) {
      socket.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    socket.write(post.slice(5));
    const chunks = await socket.toArray();
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"id":7\}$/);
  });

  it("reads HTTP/2 that arrives byte by byte", async () => {
    const socket = connect(Number(urlOf(await serve()).port), "127.0.0.1");
    stopLater(() => socket.destroy());
    socket.setNoDelay(true);
    for (const byte of "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") {
      socket.write(byte, "latin1");
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    // An empty SETTINGS frame; the server responds with its own.
    socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
    const [chunk] = await once(socket, "data");
    expect(chunk[3]).toBe(4);
  });

  it("survives data that is not HTTP", async () => {
    const server = await serve();
    const socket = connect(Number(urlOf(server).port), "127.0.0.1");
    socket.write(Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05]));
    await Promise.race([once(socket, "close"), once(socket, "data"), once(socket, "error")]);
    socket.destroy();
    expect(await clientOf(server).selectNode({ id: 7 })).toMatchObject({ id: 7 });
  });
});

describe("close", () => {
  it.each(protocols)("lets a pending call finish (%s)", async (protocol) => {
    const [begun, finish] = [gate(), gate()];
    const server = await serve(
      {},
      {
        selectNode: async ({ id }) => {
          begun.open();
          await finish.opened;
          return { id };
        },
      },
    );
    const client = clientOf(server, protocol);
    const call = client.selectNode({ id: 7 });
    await begun.opened;
    const closed = server.close();
    finish.open();
    expect(await call).toMatchObject({ id: 7 });
    await closed;
    await expect(client.selectNode({})).rejects.toThrow(ConnectError);
  });

  it("does not wait for idle or silent connections", async () => {
    const server = await serve();
    const silent = connect(Number(urlOf(server).port), "127.0.0.1");
    stopLater(() => silent.destroy());
    await once(silent, "connect");
    for (const protocol of protocols) await clientOf(server, protocol).selectNode({});
    await server.close();
  });

  it("aborts a call that has not ended within the grace period", async () => {
    const begun = gate();
    const server = await serve(
      {},
      {
        selectNode: () => {
          begun.open();
          return new Promise(() => {});
        },
      },
    );
    const failed = expect(clientOf(server).selectNode({})).rejects.toThrow(ConnectError);
    await begun.opened;
    await server.close();
    await failed;
  });

  it("can be repeated", async () => {
    const server = await serve();
    await Promise.all([server.close(), server.close()]);
    await server.close();
  });
});

describe("the health and reflection services", () => {
  function transportOf(server: DaemonServer) {
    const sessionManager = new Http2SessionManager(urlOf(server));
    stopLater(() => sessionManager.abort());
    return createGrpcTransport({ baseUrl: urlOf(server).origin, sessionManager });
  }

  it("report that the daemon and its services are serving", async () => {
    const health = createClient(Health, transportOf(await serve()));
    expect(await health.check({})).toMatchObject({ status: Status.SERVING });
    expect(await health.check({ service: "proxydaemon.v1.ProxySubscriptions" })).toMatchObject({
      status: Status.SERVING,
    });
    await expect(health.check({ service: "other" })).rejects.toMatchObject({ code: Code.NotFound });
    expect(Object.keys((await health.list({})).statuses)).toContain("proxydaemon.v1.ProxySubscriptions");
  });

  it("notify watchers when the daemon closes", async () => {
    const server = await serve();
    const statuses: Status[] = [];
    for await (const { status } of createClient(Health, transportOf(server)).watch({})) {
      statuses.push(status);
      if (status === Status.SERVING) void server.close();
    }
    expect(statuses).toEqual([Status.SERVING, Status.NOT_SERVING]);
  });

  it("report an unknown service to watchers, and keep the stream open", async () => {
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
    [{ case: "fileByFilename", value: "proxydaemon/v1/proxy_subscriptions.proto" } as const, "fileDescriptorResponse"],
    [{ case: "fileByFilename", value: "other.proto" } as const, "errorResponse"],
    [{ case: "fileContainingSymbol", value: "proxydaemon.v1.ProxySubscriptions" } as const, "fileDescriptorResponse"],
    [
      { case: "fileContainingSymbol", value: "proxydaemon.v1.ProxySubscriptions.SelectNode" } as const,
      "fileDescriptorResponse",
    ],
    [
      { case: "fileContainingSymbol", value: "grpc.health.v1.HealthCheckResponse.ServingStatus" } as const,
      "fileDescriptorResponse",
    ],
    [{ case: "fileContainingSymbol", value: "other" } as const, "errorResponse"],
    [{ case: "allExtensionNumbersOfType", value: "proxydaemon.v1.ProxySubscriptions" } as const, "errorResponse"],
  ])("respond to %j with %s", async (messageRequest, want) => {
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
