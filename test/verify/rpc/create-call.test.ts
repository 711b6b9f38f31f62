import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { create } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { packageVersion } from "../../../src/base/versions.js";
import { type DaemonProtocol, ProxySubscriptionPreviewResponseSchema } from "../../../src/daemon/index.js";
import { createCall } from "../../../src/verify/rpc/create-call.js";
import { maxMessageValues } from "../../../src/wire/message-excess.js";
import { listenOn } from "../../support/listen-on.js";
import { type Handlers, serveExample, stopLater, targetAt } from "./example-daemon.js";

/** Answers a request, or ends its connection. */
type Listener = (request: IncomingMessage, response: ServerResponse, drop: () => void) => void;

const protocols: readonly DaemonProtocol[] = ["grpc", "grpc-web", "connect"];
const preview = "ProxySubscriptions/PreviewImport";

describe.each(protocols)("a call over %s", (protocol) => {
  const callWith = async (handlers: Handlers) => createCall(await serveExample(handlers, protocol));

  it("returns a reply with defaults, metadata and bytes", async () => {
    const call = await callWith({
      previewImport: ({ url }, { responseHeader, responseTrailer }) => {
        responseHeader.set("x-head", "1");
        responseTrailer.set("x-trail", "2");
        const reply = create(ProxySubscriptionPreviewResponseSchema, { suggestedName: url, node: [{ name: "a" }] });
        // Field 99 holds the text `new`.
        reply.$unknown = [{ no: 99, wireType: 2, data: new Uint8Array([3, 110, 101, 119]) }];
        return reply;
      },
    });
    const answer = await call(preview, { url: "u" });
    expect(answer).toMatchObject({
      kind: "reply",
      reply: { suggestedName: "u", rejectedCount: 0, node: [{ ordinal: 0, name: "a", runtimeSupported: false }] },
      metadata: expect.arrayContaining([
        ["x-head", "1"],
        ["x-trail", "2"],
      ]),
    });
    expect(answer.kind === "reply" && Buffer.from(answer.bytes).includes("new")).toBe(true);
  });

  it("names the package in its User-Agent, with its version", async () => {
    let agent: string | null = null;
    const call = await callWith({
      previewImport: (_, { requestHeader }) => {
        agent = requestHeader.get("user-agent");
        return create(ProxySubscriptionPreviewResponseSchema);
      },
    });
    await call(preview, {});
    expect(agent).toBe(`accord-contracts/${packageVersion}`);
  });

  it("returns an error with code, message, details and metadata", async () => {
    const call = await callWith({
      previewImport: () => {
        const detail = { desc: StringValueSchema, value: { value: "dëtail" } };
        throw new ConnectError("wröng", Code.FailedPrecondition, { "x-meta": "1" }, [detail]);
      },
    });
    const answer = await call(preview, {});
    expect(answer).toMatchObject({
      kind: "error",
      code: "failed_precondition",
      message: "wröng",
      details: [{ type: "google.protobuf.StringValue" }],
      metadata: expect.arrayContaining([["x-meta", "1"]]),
    });
    expect(answer.kind === "error" && Buffer.from(answer.details[0]?.value ?? []).toString()).toContain("dëtail");
  });

  it("returns an error without message", async () => {
    const call = await callWith({
      selectNode: () => {
        throw new ConnectError("", Code.NotFound);
      },
    });
    expect(await call("ProxySubscriptions/SelectNode", { id: 1 })).toMatchObject({
      kind: "error",
      code: "not_found",
      message: "",
    });
  });

  it("returns the error of a missing RPC", async () => {
    const call = await callWith({});
    expect(await call("MeshControlService/LoginCancel", {})).toMatchObject({ kind: "error", code: "unimplemented" });
  });

  it("returns a timeout", async () => {
    const target = await serveExample({ selectNode: () => new Promise(() => {}) }, protocol);
    const call = createCall({ ...target, timeoutMs: 100 });
    expect(await call("ProxySubscriptions/SelectNode", {})).toEqual({ kind: "timeout", afterMs: 100 });
  });

  it("ends at its time limit if the server switches protocols", async () => {
    const server = createServer((socket) =>
      socket
        .on("error", () => {})
        .once("data", () =>
          socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
        ),
    );
    const address = `http://127.0.0.1:${await listenOn(server)}`;
    stopLater(() => server.close());
    const answer = await createCall({ ...targetAt(address, protocol), timeoutMs: 500 })(preview, {});
    expect(["timeout", "unreachable", "malformed"]).toContain(answer.kind);
  });

  it("shares one deadline with earlier calls", async () => {
    let isHanging = true;
    const selectNode = () => (isHanging ? new Promise<never>(() => {}) : {});
    const target = await serveExample({ selectNode }, protocol);
    const call = createCall({ ...target, timeoutMs: 100 });
    await call("ProxySubscriptions/SelectNode", {});
    isHanging = false;
    expect(await call("ProxySubscriptions/SelectNode", {})).toEqual({ kind: "timeout", afterMs: 100 });
    expect(await createCall(target)("ProxySubscriptions/SelectNode", {})).toMatchObject({ kind: "reply" });
  });

  it("rejects when aborted, and makes no further calls", async () => {
    const stop = new AbortController();
    let asked = 0;
    const selectNode = () => {
      asked += 1;
      stop.abort(new Error("stopped"));
      return new Promise<never>(() => {});
    };
    const target = await serveExample({ selectNode }, protocol);
    const call = createCall({ ...target, signal: stop.signal });
    await expect(call("ProxySubscriptions/SelectNode", {})).rejects.toThrow("stopped");
    await expect(call("ProxySubscriptions/SelectNode", {})).rejects.toThrow("stopped");
    expect(asked).toBe(1);
  });

  it.each(["http://127.0.0.1:1", "unix:/tmp/there-is-no-such.sock", "http://there-is-none.invalid:80"])(
    "reports that %s is unreachable",
    async (address) => {
      const answer = await createCall(targetAt(address, protocol))("MeshControlService/LoginCancel", {});
      expect(answer).toMatchObject({
        kind: "unreachable",
        text: expect.stringMatching(/ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN/),
      });
    },
  );

  async function serveRaw(listener: Listener, maxBytes?: number) {
    const open = new Set<Pick<Socket, "destroy">>();
    const drop = () => {
      for (const connection of open) connection.destroy();
    };
    const server =
      protocol === "grpc"
        ? // The compatibility API of HTTP/2 supports everything used here.
          createHttp2Server((request, response) => Reflect.apply(listener, undefined, [request, response, drop]))
        : createHttp1Server((request, response) => listener(request, response, drop));
    server.on(protocol === "grpc" ? "session" : "connection", (connection) => open.add(connection));
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    stopLater(() => {
      drop();
      return new Promise((done) => server.close(done));
    });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return createCall(targetAt(address, protocol, maxBytes));
  }

  const type = {
    grpc: "application/grpc+proto",
    "grpc-web": "application/grpc-web+proto",
    connect: "application/proto",
  }[protocol];
  const odd: readonly (readonly [what: string, listener: Listener])[] = [
    ["a web page", (_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>")],
    ["an error page", (_, response) => response.writeHead(502, { "content-type": "text/html" }).end("<p>")],
    [
      "JSON of something else",
      (_, response) => response.writeHead(500, { "content-type": "application/json" }).end("[1]"),
    ],
    [
      "bytes that are not a message",
      (_, response) =>
        response
          .writeHead(200, { "content-type": type, "grpc-status": "77" })
          .end("\u0000\u0000\u0000\u0000\u0002\u000a\u00ff"),
    ],
    [
      "a connection that ends within the answer",
      (_, response, drop) => response.writeHead(200, { "content-type": type }).write("\u0000\u0000", drop),
    ],
    [
      "JSON of a success",
      (_, response) => response.writeHead(200, { "content-type": "application/json" }).end('{"code":"internal"}'),
    ],
    ...["{}", '{"code":7}', '{"code":"oops"}', '{"message":"oops"}', '{"code":"internal","details":[1]}', ""].map(
      (body): (typeof odd)[number] => [
        `an error that is ${body || "empty"}`,
        (_, response) => response.writeHead(500, { "content-type": "application/json" }).end(body),
      ],
    ),
  ];
  it.each(odd)("reports %s as malformed", async (_, listener) => {
    const answer = await (await serveRaw(listener))(preview, {});
    expect(answer).toMatchObject({ kind: "malformed", text: expect.stringMatching(/./) });
  });

  it("reports that the connection ended before the response", async () => {
    const answer = await (await serveRaw((_request, _response, drop) => drop()))(preview, {});
    expect(answer).toMatchObject({ kind: "unreachable", text: "it ended the connection before it answered" });
  });

  it.each([301, 302, 303, 307, 308])("does not follow a redirect with status %i, and reports it", async (status) => {
    let connections = 0;
    const other = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    const target = `http://127.0.0.1:${await listenOn(other)}`;
    stopLater(() => new Promise<void>((done) => other.close(() => done())));
    const call = await serveRaw((_, response) => {
      const headers = {
        location: `${target}/daemon`,
        "alt-svc": `h2="${target.slice(7)}"`,
        refresh: `0; url=${target}`,
      };
      // With Connect, the body could hold an error.
      response.writeHead(status, { "content-type": "application/json", ...headers }).end('{"code":"internal"}');
    });
    const text = `the server redirects to ${target} with status ${status}, and a redirect is not followed`;
    expect(await call(preview, {})).toMatchObject({ kind: "malformed", text });
    expect(connections).toBe(0);
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("reports that a response in %s is too large after decompression", async (coding, compress) => {
    const call = await serveRaw((_, response) => {
      const message = compress(Buffer.alloc(8 * 1024 * 1024));
      const length = Buffer.alloc(5);
      length[0] = 1;
      length.writeUInt32BE(message.length, 1);
      const header = protocol === "connect" ? "content-encoding" : "grpc-encoding";
      response.writeHead(200, { "content-type": type, [header]: coding });
      response.end(protocol === "connect" ? message : Buffer.concat([length, message]));
    }, 2 ** 20);
    expect(await call(preview, {})).toMatchObject({ kind: "too-large", text: "the answer is larger than 1 MiB" });
  });

  it.each([
    ["", "identity", (message: Buffer) => message],
    [" in gzip", "gzip", gzipSync],
  ])("refuses a reply of too many values%s, however small it is", async (_, coding, compress) => {
    // Nodes without fields.
    const message = compress(Buffer.from("2a00".repeat(maxMessageValues + 1), "hex"));
    const call = await serveRaw((_request, response) => {
      const prefix = Buffer.alloc(5, coding === "gzip" ? 1 : 0);
      prefix.writeUInt32BE(message.length, 1);
      const header = protocol === "connect" ? "content-encoding" : "grpc-encoding";
      response.writeHead(200, { "content-type": type, [header]: coding });
      response.end(protocol === "connect" ? message : Buffer.concat([prefix, message]));
    });
    const text = "the message holds more than 100,000 values";
    expect(await call(preview, {})).toMatchObject({ kind: "too-large", text });
  });

  it("reports that a response is too large", async () => {
    const call = await serveRaw((_, response) => {
      response.writeHead(200, { "content-type": type });
      // A frame of 256 bytes, or a message of the same size.
      response.end(Buffer.concat([Buffer.of(0, 0, 0, 1, 0), Buffer.alloc(256)]));
    }, 255);
    const text = "the answer is larger than 255 bytes";
    expect(await call(preview, {})).toMatchObject({ kind: "too-large", text });
  });
});

describe("an error of Connect", () => {
  it.each([
    ["identity", (text: string) => text],
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("is decoded from %s", async (encoding, encode) => {
    const server = createHttp1Server((request, response) => {
      request.resume();
      response.writeHead(404, { "content-type": "application/json; charset=utf-8", "content-encoding": encoding });
      response.end(encode('{"code":"not_found"}'));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    stopLater(() => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await createCall(targetAt(address, "connect"))(preview, {});
    expect(answer).toMatchObject({ kind: "error", code: "not_found", message: "" });
  });
});
