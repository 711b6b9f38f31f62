import { once } from "node:events";
import { createServer } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { StringValueSchema } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { ProxySubscriptionSelectRequestSchema } from "../../../src/daemon/index.js";
import { formatSummary } from "../../../src/report/format-summary.js";
import { formatHtml } from "../../../src/report/html/format-html.js";
import { formatJson } from "../../../src/report/model/to-json-report.js";
import { listenOn } from "../../support/listen-on.js";
import { serveExample } from "../../verify/rpc/example-daemon.js";
import {
  clientOf,
  findingsOf,
  framed,
  path,
  post,
  protocols,
  select,
  startProxy,
  useReference,
} from "./start-proxy.js";

const reference = useReference();

describe("proxyDaemon, judging calls", () => {
  it("names unknown services and RPCs, each with the most similar name", async () => {
    const { url, report } = await startProxy(reference.address);
    await post(url, "{}", { "content-type": "application/json" }, "/proxydaemon.v1.ProxySubscriptions/SelectNodes");
    await post(url, "{}", { "content-type": "application/json" }, "/daemon.v1.ProxySubscriptions/SelectNode");

    expect(findingsOf(await report())).toEqual({
      "client proxydaemon.v1.ProxySubscriptions/SelectNodes: call.rpc":
        "the contract has no such RPC; did you mean proxydaemon.v1.ProxySubscriptions/SelectNode?",
      "client daemon.v1.ProxySubscriptions/SelectNode: call.rpc":
        "the contract has no such RPC; did you mean proxydaemon.v1.ProxySubscriptions/SelectNode?",
    });
  });

  it.each(protocols)("names an unknown RPC that the daemon refuses over %s", async (protocol) => {
    const { url, report } = await startProxy(reference.address);
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
    const { url, report } = await startProxy(reference.address);
    await call(url);
    const result = await report();

    expect(findingsOf(result)).toEqual({ [`client ${select}: ${name}`]: expect.stringMatching(problem) });
  });

  it("names mistakes in the headers of gRPC", async () => {
    const { url, report } = await startProxy(reference.address);
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

  it.each(protocols)("finds secrets in every part of an answer over %s, and never shows them", async (protocol) => {
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
        throw new ConnectError("no", Code.Unavailable, { "x-url-bin": Buffer.from(text).toString("base64") });
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

  it.each([
    ["a token in the path", "https://sub.example/s/6f1e2a9c04d84b7f9a35c1e0d27b88aa", "redaction.message"],
    ["a token in the query", "https://sub.example/s?flag=clash&s=Zq8LhVw3NcT5", "redaction.message"],
    ["a token as the query", "https://sub.example/s?Q7wXv2LmN9pR", "redaction.message"],
    ["a token in the fragment", "https://sub.example/s#key=pZ4sKd8HqT", "redaction.message"],
    [
      "a token in a nested URL",
      "https://a.example/?url=https%3A%2F%2Fb.example%2F9e107d9d372bb6826bd81d3542a419d6",
      "redaction.message",
    ],
    ["a user name", "https://tok-5b1f8e0a2d@sub.example/list", "redaction.user-name"],
    ["words in the path", "https://sub.example/s/frankfurt-2026", "redaction.words"],
    ["words in a nested URL", "https://a.example/?url=https%3A%2F%2Fb.example%2Ffrankfurt-2026", "redaction.words"],
  ])("judges an error that shows %s", async (_, shown, rule) => {
    const daemon = await serveExample(
      {
        previewImport: ({ url }) => {
          throw new ConnectError(`cannot fetch ${decodeURIComponent(url)}`, Code.Unavailable);
        },
      },
      "grpc",
    );
    const { url, report } = await startProxy(daemon.address);
    await clientOf(url, "grpc")
      .proxySubscriptions.previewImport({ url: shown })
      .catch(() => {});

    expect(findingsOf(await report())).toEqual({
      [`server ProxySubscriptions/PreviewImport: ${rule} message`]:
        expect.stringContaining("shows a secret of the URL"),
    });
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

  it("reads the status of an error in the headers of gRPC-Web, before an empty trailer frame", async () => {
    const daemon = createServer((request, response) => {
      const headers = { "content-type": "application/grpc-web+proto", "grpc-status": "5" };
      request.resume().on("end", () => response.writeHead(200, headers).end(Buffer.of(0x80, 0, 0, 0, 0)));
    });
    const { url, report } = await startProxy(`http://127.0.0.1:${await listenOn(daemon)}`);
    onTestFinished(() => void daemon.close());
    await post(url, framed(Buffer.of(8, 1)), { "content-type": "application/grpc-web+proto" });

    expect(findingsOf(await report())).toEqual({});
  });

  it("finds a secret from the URL of a failed call in the error of a later call", async () => {
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
});
