import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttp1Server } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDaemonClient, type DaemonClientOptions, type DaemonProtocol } from "../../src/daemon/index.js";

/** Listens until the end of the test, on a socket or, without a path, on a port. Returns the address. */
async function listen(server: Server, path?: string): Promise<string> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((done) =>
    path === undefined ? server.listen(0, "127.0.0.1", done) : server.listen(path, done),
  );
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? `http://127.0.0.1:${address.port}` : `unix:${address}`;
}

function socketPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "daemon-client-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "daemon.sock");
}

function clientOf(options: DaemonClientOptions) {
  const client = createDaemonClient(options);
  onTestFinished(client.close);
  return client;
}

/** Errors that would crash a process. */
function watchUncaught(): unknown[] {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", note);
  onTestFinished(() => {
    process.off("uncaughtException", note);
  });
  return uncaught;
}

describe("createDaemonClient", () => {
  const strangers: readonly (readonly [what: string, make: () => Server])[] = [
    ["a server with HTTP/1.1 alone", () => createHttp1Server((_, response) => response.writeHead(404).end())],
    ["a server of another protocol", () => createServer((socket) => socket.resume().write("SSH-2.0-OpenSSH_9.2\r\n"))],
    ["a server that hangs up", () => createServer((socket) => socket.resume().end())],
  ];
  it.each(strangers.flatMap(([what, make]) => [[what, "a port", make] as const, [what, "a socket", make] as const]))(
    "reports errors from %s on %s without crashing the process",
    async (_, place, make) => {
      const uncaught = watchUncaught();
      const server = make();
      const address = await listen(server, place === "a socket" ? socketPath() : undefined);
      const client = clientOf({ address });
      const failed = () => client.meshControl.loginCancel({}).catch((error: unknown) => error);
      // The next call finds the connection of the previous call closed.
      const errors = [await failed(), await failed(), ...(await Promise.all([failed(), failed(), failed()]))];
      for (const error of errors) expect(error).toBeInstanceOf(ConnectError);
      client.close();
      // Errors of a connection come before its end.
      await expect.poll(() => promisify(server.getConnections.bind(server))()).toBe(0);
      await setImmediate();
      expect(uncaught).toEqual([]);
    },
  );

  describe.each(["grpc", "grpc-web", "connect"] as const)("over %s", (protocol) => {
    it.each([200, 500])("stops reading a response with HTTP status %s at the size limit", async (status) => {
      const most = 1024 * 1024;
      const { server, ended, sent } = serveWithoutEnd(protocol, status);
      const client = clientOf({ address: await listen(server), protocol, maxBytes: most });
      const error: unknown = await client.meshControl.loginCancel({}).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConnectError);
      const isRead = status === 200 || protocol === "connect";
      if (isRead) expect(error).toMatchObject({ code: Code.ResourceExhausted });
      await ended;
      // Data in intermediate buffers counts as sent.
      expect(sent()).toBeLessThan(most + 16 * 1024 * 1024);
    });

    it("counts the bytes of a response after decompression", async () => {
      const server = protocol === "grpc" ? createHttp2Server() : createHttp1Server();
      const bomb = gzipSync(Buffer.alloc(10_000_000));
      const coding = protocol === "connect" ? "content-encoding" : "grpc-encoding";
      server.on("request", (request, response) => {
        request.resume();
        response.writeHead(200, { "content-type": types[protocol], "grpc-status": "0", [coding]: "gzip" });
        response.end(framed(protocol, bomb, 1));
      });
      const client = clientOf({ address: await listen(server), protocol, maxBytes: 1_000_000 });
      expect(bomb.length).toBeLessThan(20_000);
      await expect(client.meshControl.loginCancel({})).rejects.toMatchObject({ code: Code.ResourceExhausted });
    });

    it("accepts a response of exactly the maximum size", async () => {
      const server = protocol === "grpc" ? createHttp2Server() : createHttp1Server();
      server.on("request", (request, response) => {
        request.resume();
        response.writeHead(200, { "content-type": types[protocol], "grpc-status": "0" });
        response.end(framed(protocol, field(1000)));
      });
      const address = await listen(server);
      const call = (maxBytes: number) => clientOf({ address, protocol, maxBytes }).meshControl.loginCancel({});
      expect(await call(field(1000).length)).toMatchObject({ $unknown: [{ no: 99 }] });
      await expect(call(field(1000).length - 1)).rejects.toMatchObject({ code: Code.ResourceExhausted });
    });
  });
});

const types: Readonly<Record<DaemonProtocol, string>> = {
  grpc: "application/grpc+proto",
  "grpc-web": "application/grpc-web+proto",
  connect: "application/proto",
};

/** Field 99, filled with zero bytes. */
function field(length: number): Buffer {
  return Buffer.concat([Buffer.of(0x9a, 6, (length & 127) | 128, length >> 7), Buffer.alloc(length)]);
}

function framed(protocol: DaemonProtocol, message: Buffer, messageFlags = 0): Buffer {
  if (protocol === "connect") return message;
  const frame = (flags: number, bytes: Buffer) => {
    const head = Buffer.of(flags, 0, 0, 0, 0);
    head.writeUInt32BE(bytes.length, 1);
    return Buffer.concat([head, bytes]);
  };
  const trailers = protocol === "grpc-web" ? [frame(128, Buffer.from("grpc-status: 0\r\n"))] : [];
  return Buffer.concat([frame(messageFlags, message), ...trailers]);
}

/** Responds with an endless body. */
function serveWithoutEnd(protocol: DaemonProtocol, status: number) {
  const server = protocol === "grpc" ? createHttp2Server() : createHttp1Server();
  let sent = 0;
  const ended = new Promise<void>((done) => {
    server.on("request", (request, response) => {
      request.resume();
      response.writeHead(status, { "content-type": status === 200 ? types[protocol] : "application/json" });
      const chunk = Buffer.alloc(65_536, " ");
      const write = () => {
        while (!response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return;
        }
      };
      response.on("drain", write).on("close", done);
      // An invalid frame length.
      response.write(Buffer.of(0, 255, 255, 255, 255));
      write();
    });
  });
  return { server, ended, sent: () => sent };
}

describe("createDaemonClient over gRPC-Web, with the status in the headers", () => {
  const frame = (text: string) => Buffer.concat([Buffer.of(0x80, 0, 0, 0, text.length), Buffer.from(text)]);
  it.each([
    ["no body", []],
    ["an empty trailer frame", [frame("")]],
    ["an empty trailer frame, byte by byte", [...frame("")].map((byte) => Buffer.of(byte))],
    ["a trailer frame without a status", [frame("x-request-id: 7\r\n")]],
    ["a trailer frame with the status", [frame("grpc-status: 5\r\ngrpc-message: no network\r\n")]],
  ] as const)("throws the error of the daemon if the body is %s", async (_, chunks) => {
    const server = createHttp1Server((request, response) => {
      const headers = {
        "content-type": "application/grpc-web+proto",
        "grpc-status": "5",
        "grpc-message": "no network",
      };
      request.resume().on("end", () => {
        response.writeHead(200, headers);
        for (const chunk of chunks) response.write(chunk);
        response.end();
      });
    });
    const client = clientOf({ address: await listen(server), protocol: "grpc-web" });

    const error: unknown = await client.proxySubscriptions
      .selectNode({ id: 7, selectedOrdinal: 1 })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: Code.NotFound, rawMessage: "no network" });
  });

  it("rejects a message beside the status of an error", async () => {
    const server = createHttp1Server((request, response) => {
      const headers = { "content-type": "application/grpc-web+proto", "grpc-status": "5" };
      request.resume().on("end", () => response.writeHead(200, headers).end(Buffer.of(0, 0, 0, 0, 2, 8, 7)));
    });
    const client = clientOf({ address: await listen(server), protocol: "grpc-web" });

    const error: unknown = await client.proxySubscriptions.selectNode({ id: 7 }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: Code.NotFound });
  });
});
