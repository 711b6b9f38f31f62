import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, toBinary } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createDaemonReference } from "../../../../reference/daemon/create-daemon-reference.js";
import {
  createDaemonClient,
  type DaemonProtocol,
  ProxySubscriptionSelectRequestSchema,
} from "../../../../src/daemon/index.js";
import { type ProxyDaemonOptions, proxyDaemon } from "../../../../src/verify/daemon/traffic/proxy-daemon.js";
import { exitCode } from "../../../../src/verify/report/exit-code.js";
import { formatJson } from "../../../../src/verify/report/format-json.js";
import { formatSummary } from "../../../../src/verify/report/format-summary.js";
import { formatHtml } from "../../../../src/verify/report/html/format-html.js";
import type { VerifyReport } from "../../../../src/verify/verify-report.js";
import { callWithBufCurl } from "../../../reference/daemon/call-with-buf-curl.js";
import { createGrpcJsCall } from "../../../reference/daemon/create-grpc-js-call.js";
import { listenOn } from "../../../support/listen-on.js";
import { type Handlers, serveExample } from "../example-daemon.js";

const protocols: readonly DaemonProtocol[] = ["grpc", "grpc-web", "connect"];
const select = "ProxySubscriptions/SelectNode";
const path = "/proxydaemon.v1.ProxySubscriptions/SelectNode";

let folder = "";
let reference = "";
let subscription = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accord-proxy-"));
  const socket = join(folder, "daemon.sock");
  const daemon = await createDaemonReference({ socket, allowPrivate: true });
  reference = `unix:${socket}`;
  const host = createServer((_, response) => void response.end("trojan://Yc2sV9eA@zrh.trey.example:443#Zurich\n"));
  subscription = `http://127.0.0.1:${await listenOn(host)}/list`;
  return async () => {
    host.close();
    await daemon.close();
    await rm(folder, { recursive: true });
  };
});

/** Starts a proxy for the rest of the test. */
async function startProxy(address: string, options: Partial<ProxyDaemonOptions> = {}) {
  const proxy = await proxyDaemon({ ...options, address });
  onTestFinished(proxy.close);
  return { ...proxy, url: proxy.addresses[0] ?? "" };
}

function clientOf(address: string, protocol: DaemonProtocol) {
  const client = createDaemonClient({ address, protocol });
  onTestFinished(client.close);
  return client;
}

/** The findings of a report by name, with their first problem. */
function findingsOf({ checks }: VerifyReport): Record<string, string> {
  return Object.fromEntries(
    checks.flatMap(({ id, outcome }) =>
      outcome.kind === "failed" || outcome.kind === "deviated" ? [[id, outcome.problems[0] ?? ""]] : [],
    ),
  );
}

/** Sends a request over HTTP/1.1, and discards the response. */
async function post(url: string, body: string | Buffer, headers: Record<string, string>, target = path) {
  const response = await fetch(`${url}${target}`, { method: "POST", body: Buffer.from(body), headers });
  await response.arrayBuffer();
  return response.status;
}

function framed(message: Uint8Array, flags = 0): Buffer {
  const prefix = Buffer.alloc(5);
  prefix[0] = flags;
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

describe("proxyDaemon", () => {
  it.each(protocols)("passes a client without mistakes by %s, on a port and on a socket", async (protocol) => {
    const socket = join(folder, `${protocol}.sock`);
    const { addresses, report } = await startProxy(reference, { port: 0, socket });
    for (const address of addresses) {
      const { proxySubscriptions } = clientOf(address, protocol);
      const { node } = await proxySubscriptions.previewImport({ url: subscription });
      const { id } = await proxySubscriptions.applyImport({ url: subscription, name: "Trey", selectedOrdinal: 1 });
      expect(node.map(({ name }) => name)).toEqual(["Zurich"]);
      expect(await proxySubscriptions.selectNode({ id, selectedOrdinal: 1 })).toMatchObject({ id, selectedOrdinal: 1 });
      await expect(proxySubscriptions.selectNode({ id: 4711, selectedOrdinal: 1 })).rejects.toMatchObject({
        code: Code.NotFound,
      });
    }
    const result = await report();

    expect(addresses).toEqual([expect.stringMatching(/^http:/), `unix:${socket}`]);
    expect(findingsOf(result)).toEqual({});
    expect(exitCode(result)).toBe(0);
    expect(result.coverage?.exchanges).toBe(8);
    expect(result.coverage?.notJudged).toEqual([]);
    const items = Object.fromEntries(result.coverage?.sections.map(({ title, items }) => [title, items]) ?? []);
    expect(items.RPCs).toContainEqual({ name: select, count: 4 });
    expect(items["error codes"]).toContainEqual({ name: "not_found", operation: select, count: 2 });
    expect(items.protocols).toContainEqual({ name: protocol, count: 8 });
  });

  it("passes other clients: @grpc/grpc-js, and buf curl with server reflection", async () => {
    const { url, report } = await startProxy(reference);
    const grpcJs = createGrpcJsCall(url);
    onTestFinished(grpcJs.close);
    const answers = [
      await grpcJs.call("ProxySubscriptions/PreviewImport", { url: subscription }),
      ...(await Promise.all(
        protocols.map((protocol) =>
          callWithBufCurl(url, protocol)("ProxySubscriptions/PreviewImport", { url: subscription }),
        ),
      )),
    ];
    const result = await report();

    expect(answers.map(({ kind }) => kind)).toEqual(["reply", "reply", "reply", "reply"]);
    expect(findingsOf(result)).toEqual({});
    expect(result.coverage?.sections[0]?.items).toContainEqual({ name: "ProxySubscriptions/PreviewImport", count: 4 });
  });

  it("names unknown services and RPCs with the nearest", async () => {
    const { url, report } = await startProxy(reference);
    await post(url, "{}", { "content-type": "application/json" }, "/proxydaemon.v1.ProxySubscriptions/SelectNodes");
    await post(url, "{}", { "content-type": "application/json" }, "/daemon.v1.ProxySubscriptions/SelectNode");

    expect(findingsOf(await report())).toEqual({
      "client proxydaemon.v1.ProxySubscriptions/SelectNodes: call.rpc":
        "the contract has no such RPC; did you mean proxydaemon.v1.ProxySubscriptions/SelectNode?",
      "client daemon.v1.ProxySubscriptions/SelectNode: call.rpc":
        "the contract has no such RPC; did you mean proxydaemon.v1.ProxySubscriptions/SelectNode?",
    });
  });

  it.each(protocols)("names an unknown RPC that the daemon refuses by %s", async (protocol) => {
    const { url, report } = await startProxy(reference);
    const type = { grpc: "application/grpc", "grpc-web": "application/grpc-web+proto", connect: "application/proto" }[
      protocol
    ];
    const session = connectHttp2(url);
    onTestFinished(() => session.destroy());
    const stream = session.request({
      ":method": "POST",
      ":path": "/proxydaemon.v1.MeshControl/LoginCancel",
      "content-type": type,
      te: "trailers",
    });
    stream.end(protocol === "connect" ? Buffer.of() : framed(Buffer.of()));
    stream.resume();
    await once(stream, "close");

    expect(findingsOf(await report())).toEqual({
      "client proxydaemon.v1.MeshControl/LoginCancel: call.rpc": expect.stringContaining(
        "MeshControlService/LoginCancel?",
      ),
    });
  });

  it.each(protocols)("passes on by %s that a request is too large, before it has arrived", async (protocol) => {
    const { url, report } = await startProxy(reference);
    const call = clientOf(url, protocol).proxySubscriptions.previewImport({ url: "x".repeat(6 * 1024 * 1024) });

    await expect(call).rejects.toMatchObject({ code: Code.ResourceExhausted });
    await expect.poll(async () => (await report()).coverage?.notJudged).not.toEqual([]);
    expect(findingsOf(await report())).toEqual({});
  });

  it.each([
    [
      "call.method",
      async (url: string): Promise<unknown> => (await fetch(`${url}${path}`)).arrayBuffer(),
      /expected POST, got GET/,
    ],
    [
      "call.content-type",
      (url: string) => post(url, "id=1", { "content-type": "application/x-www-form-urlencoded" }),
      /x-www-form/,
    ],
    [
      "call.content-type",
      (url: string) => post(url, framed(Buffer.of()), { "content-type": "application/connect+proto" }),
      /does not stream, got application\/connect\+proto/,
    ],
    [
      "call.framing",
      (url: string) => post(url, Buffer.of(8, 1), { "content-type": "application/grpc-web+proto" }),
      /2 bytes follow where a message has a prefix of 5/,
    ],
    [
      "call.framing",
      (url: string) =>
        post(url, Buffer.concat([framed(Buffer.of()), framed(Buffer.of())]), {
          "content-type": "application/grpc-web",
        }),
      /expected one message, got 2/,
    ],
    [
      "call.framing",
      (url: string) => post(url, framed(Buffer.of(8, 1), 1), { "content-type": "application/grpc-web" }),
      /marked as compressed/,
    ],
    [
      "call.message",
      (url: string) => post(url, Buffer.of(0x0a, 0xff), { "content-type": "application/proto" }),
      /SelectRequest in the binary format/,
    ],
    [
      "call.message",
      (url: string) => post(url, '{"id":"one"}', { "content-type": "application/json" }),
      /its field id has a value of another type/,
    ],
    ["call.message", (url: string) => post(url, "id=1", { "content-type": "application/json" }), /not JSON/],
    [
      "call.field-name selected_ordinals",
      (url: string) => post(url, '{"id":1,"selected_ordinals":2}', { "content-type": "application/json" }),
      /no field selected_ordinals; did you mean selectedOrdinal\?/,
    ],
    [
      "call.unknown-field 9 (varint)",
      (url: string) => post(url, Buffer.of(8, 1, 72, 5), { "content-type": "application/proto" }),
      /SelectRequest has no field 9 \(varint\)/,
    ],
    [
      "call.timeout connect-timeout-ms",
      (url: string) => post(url, '{"id":1}', { "content-type": "application/json", "connect-timeout-ms": "5s" }),
      /expected at most ten digits/,
    ],
    [
      "call.empty-field id",
      (url: string) => post(url, "{}", { "content-type": "application/json" }),
      /id is empty in the only call/,
    ],
  ] as const)("names a mistake of a client: %s", async (name, call, problem) => {
    const { url, report } = await startProxy(reference);
    await call(url);
    const result = await report();

    expect(findingsOf(result)).toEqual({ [`client ${select}: ${name}`]: expect.stringMatching(problem) });
  });

  it("names mistakes in the headers of gRPC", async () => {
    const { url, report } = await startProxy(reference);
    const session = connectHttp2(url);
    onTestFinished(() => session.destroy());
    const headers = { ":method": "POST", ":path": path, "content-type": "application/grpc", "grpc-timeout": "5 s" };
    const stream = session.request(headers);
    stream.end(
      framed(toBinary(ProxySubscriptionSelectRequestSchema, create(ProxySubscriptionSelectRequestSchema, { id: 1 }))),
    );
    stream.resume();
    await once(stream, "close");

    expect(findingsOf(await report())).toEqual({
      [`client ${select}: call.timeout grpc-timeout`]: expect.stringContaining("such as 5000m"),
      [`client ${select}: call.te`]: "te: expected trailers",
    });
  });

  it.each(protocols)("passes on deadlines and cancellation by %s", async (protocol) => {
    let ended = 0;
    let timeoutMs: number | undefined;
    const selectNode: Handlers["selectNode"] = async (_, { signal, timeoutMs: remaining }) => {
      timeoutMs = remaining();
      await once(signal, "abort");
      ended++;
      return {};
    };
    const daemon = await serveExample({ selectNode }, protocol);
    const { url, report } = await startProxy(daemon.address);
    const { proxySubscriptions } = clientOf(url, protocol);
    const stop = new AbortController();
    const call = proxySubscriptions.selectNode({ id: 1 }, { signal: stop.signal, timeoutMs: 60_000 });
    await expect.poll(() => timeoutMs).toBeGreaterThan(50_000);
    stop.abort();

    await expect(call).rejects.toMatchObject({ code: Code.Canceled });
    await expect.poll(() => ended).toBe(1);
    await expect(proxySubscriptions.selectNode({ id: 1 }, { timeoutMs: 50 })).rejects.toMatchObject({
      code: Code.DeadlineExceeded,
    });
    await expect.poll(() => ended).toBe(2);
    expect(findingsOf(await report())).toEqual({});
  });

  it.each(protocols)("finds secrets in every part of an answer by %s, and never shows them", async (protocol) => {
    const secret = "sesame-7Kp2xQ9d";
    const url = `https://hamlet:${secret}@host.example/list?token=${secret}x1`;
    const leaks: Record<string, (url: string) => never | { warnings: string[] }> = {
      "redaction.message message": (text) => {
        throw new ConnectError(`cannot fetch ${text}`, Code.Unavailable);
      },
      "redaction.details details": (text) => {
        const detail = { desc: StringValueSchema, value: { value: text } };
        throw new ConnectError("no", Code.Unavailable, {}, [detail]);
      },
      "redaction.metadata metadata": (text) => {
        throw new ConnectError("no", Code.Unavailable, { "x-url": encodeURI(text) });
      },
      "redaction.spelling message": (text) => {
        throw new ConnectError(`no: ${Buffer.from(text).toString("base64")}`, Code.Unavailable);
      },
      "redaction.reply reply": (text) => ({ warnings: [text] }),
    };
    for (const [name, leak] of Object.entries(leaks)) {
      const daemon = await serveExample({ previewImport: (request) => leak(request.url) }, protocol);
      const { url: own, report } = await startProxy(daemon.address);
      await clientOf(own, protocol)
        .proxySubscriptions.previewImport({ url })
        .catch(() => {});
      const result = await report();

      expect(findingsOf(result)).toEqual({
        [`server ProxySubscriptions/PreviewImport: ${name}`]: expect.stringContaining("shows a secret of the URL"),
      });
      for (const text of [formatJson(result), formatSummary(result), formatHtml(result)]) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(url).toString("base64").slice(8, 40));
      }
    }
  });

  it("names answers that break the protocol, and values that contradict the request", async () => {
    const silent = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "application/grpc-web+proto" }).end();
    });
    const broken = await startProxy(`http://127.0.0.1:${await listenOn(silent)}`);
    onTestFinished(() => void silent.close());
    await post(broken.url, framed(Buffer.of(8, 1)), { "content-type": "application/grpc-web+proto" });
    const daemon = await serveExample({ selectNode: ({ id }) => ({ id: id + 1, selectedOrdinal: 2 }) }, "grpc");
    const wrong = await startProxy(daemon.address);
    await clientOf(wrong.url, "grpc").proxySubscriptions.selectNode({ id: 1, selectedOrdinal: 2 });

    expect(findingsOf(await broken.report())).toEqual({
      [`server ${select}: reply.protocol`]: "the response has no grpc-status",
    });
    expect(findingsOf(await wrong.report())).toEqual({
      [`server ${select}: select-node.returns-id`]: "/id: expected 1 of the request, got 2",
    });
  });

  it("finds a secret of a URL that failed in the error of a later call", async () => {
    const secret = "sesame-7Kp2xQ9d";
    const url = `https://hamlet:${secret}@host.example/list`;
    let last = "";
    const daemon = await serveExample(
      {
        previewImport: (request) => {
          last = request.url;
          throw new ConnectError("no", Code.Unavailable);
        },
        selectNode: ({ id }) => {
          throw new ConnectError(id === 1 ? "no network" : `no network; the last import was ${last}`, Code.NotFound);
        },
      },
      "grpc",
    );
    const { url: own, report } = await startProxy(daemon.address);
    const { proxySubscriptions } = clientOf(own, "grpc");
    await proxySubscriptions.previewImport({ url }).catch(() => {});
    await proxySubscriptions.selectNode({ id: 1, selectedOrdinal: 1 }).catch(() => {});
    expect(findingsOf(await report())).toEqual({});
    await proxySubscriptions.selectNode({ id: 2, selectedOrdinal: 1 }).catch(() => {});
    const result = await report();

    expect(findingsOf(result)).toEqual({
      [`server ${select}: redaction.later-calls message`]: expect.stringContaining("of an earlier call, which failed"),
    });
    expect(formatHtml(result)).not.toContain(secret);
  });

  it("passes on the trailers of a request", async () => {
    const received: unknown[] = [];
    const server = createHttp2Server();
    server.on("stream", (stream) => {
      stream.on("trailers", (trailers) => received.push(trailers["x-checksum"]));
      stream.resume();
      stream.on("end", () => {
        stream.respond({ ":status": 200, "content-type": "application/grpc", "grpc-status": "0" }, { endStream: true });
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const { url } = await startProxy(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const session = connectHttp2(url);
    onTestFinished(() => session.destroy());
    const headers = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };
    for (const trailers of [{ "x-checksum": "abc" }, undefined]) {
      const stream = session.request(headers, { waitForTrailers: trailers !== undefined });
      stream.on("wantTrailers", () => stream.sendTrailers(trailers ?? {}));
      stream.end(framed(Buffer.of(8, 1)));
      stream.resume();
      await once(stream, "close");
    }

    expect(received).toEqual(["abc"]);
  });

  it("passes on trailers, repeated metadata and bytes unchanged", async () => {
    const seen: string[] = [];
    const selectNode: Handlers["selectNode"] = ({ id }, { requestHeader, responseHeader, responseTrailer }) => {
      seen.push(requestHeader.get("x-up") ?? "", requestHeader.get("x-up-bin") ?? "");
      responseHeader.append("x-head", "1");
      responseHeader.append("x-head", "2");
      responseTrailer.set("x-trail-bin", "AAAA");
      return { id };
    };
    const daemon = await serveExample({ selectNode }, "grpc");
    const { url } = await startProxy(daemon.address);
    const [headers, trailers] = [new Headers(), new Headers()];
    await clientOf(url, "grpc").proxySubscriptions.selectNode(
      { id: 1 },
      {
        headers: { "x-up": "a, b", "x-up-bin": "BBBB" },
        onHeader: (all) => all.forEach((value, name) => void headers.set(name, value)),
        onTrailer: (all) => all.forEach((value, name) => void trailers.set(name, value)),
      },
    );

    expect(seen).toEqual(["a, b", "BBBB"]);
    expect(headers.get("x-head")).toBe("1, 2");
    expect(trailers.get("x-trail-bin")).toBe("AAAA");
  });

  it.each(protocols)("answers UNAVAILABLE by %s once the daemon is gone", async (protocol) => {
    const daemon = await serveExample({ selectNode: ({ id }) => ({ id }) }, protocol);
    const { url, report } = await startProxy(daemon.address);
    const { proxySubscriptions } = clientOf(url, protocol);
    await proxySubscriptions.selectNode({ id: 1 });
    daemon.stop();
    const error = ConnectError.from(await proxySubscriptions.selectNode({ id: 1 }).catch((reason: unknown) => reason));

    expect(error.code).toBe(Code.Unavailable);
    expect(findingsOf(await report())).toEqual({});
  });

  it("returns the report so far, and says why it cannot start", async () => {
    const { url } = await startProxy(reference);
    await post(url, '{"id":1}', { "content-type": "application/json" });
    const outgoing = httpRequest(`${url}/accord/report`).end();
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece);

    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({
      contract: "daemon",
      coverage: { exchanges: 1 },
    });
    await expect(proxyDaemon({ address: `unix:${folder}/none.sock` })).rejects.toThrow(/cannot be reached.*none\.sock/);
    await expect(proxyDaemon({ address: "none" })).rejects.toThrow("This is not the address of a daemon");
  });
});
