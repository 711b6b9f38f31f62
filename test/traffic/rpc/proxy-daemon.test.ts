import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { proxyDaemon } from "../../../src/daemon/traffic.js";
import { exitCode } from "../../../src/report/model/to-json-report.js";
import { callWithBufCurl } from "../../support/call-with-buf-curl.js";
import { type Handlers, serveExample } from "../../verify/rpc/example-daemon.js";
import { createGrpcJsCall } from "./create-grpc-js-call.js";
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

describe("proxyDaemon", () => {
  it.each(protocols)("passes a client without mistakes over %s, on a port and on a socket", async (protocol) => {
    const socket = join(reference.folder, `${protocol}.sock`);
    const { addresses, report } = await startProxy(reference.address, { port: 0, socket });
    for (const address of addresses) {
      const { proxySubscriptions } = clientOf(address, protocol);
      const { node } = await proxySubscriptions.previewImport({ url: reference.subscription });
      const { id } = await proxySubscriptions.applyImport({
        url: reference.subscription,
        name: "Trey",
        selectedOrdinal: 1,
      });
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
    const { url, report } = await startProxy(reference.address);
    const grpcJs = createGrpcJsCall(url);
    onTestFinished(grpcJs.close);
    const answers = [
      await grpcJs.call("ProxySubscriptions/PreviewImport", { url: reference.subscription }),
      ...(await Promise.all(
        protocols.map((protocol) =>
          callWithBufCurl(url, protocol)("ProxySubscriptions/PreviewImport", { url: reference.subscription }),
        ),
      )),
    ];
    const result = await report();

    expect(answers.map(({ kind }) => kind)).toEqual(["reply", "reply", "reply", "reply"]);
    expect(findingsOf(result)).toEqual({});
    expect(result.coverage?.sections[0]?.items).toContainEqual({ name: "ProxySubscriptions/PreviewImport", count: 4 });
  });

  it.each(protocols)(
    "passes on over %s the error for a request that is too large, before the request has arrived",
    async (protocol) => {
      const { url, report } = await startProxy(reference.address);
      const call = clientOf(url, protocol).proxySubscriptions.previewImport({ url: "x".repeat(6 * 1024 * 1024) });

      await expect(call).rejects.toMatchObject({ code: Code.ResourceExhausted });
      await expect.poll(async () => (await report()).coverage?.notJudged).not.toEqual([]);
      expect(findingsOf(await report())).toEqual({});
    },
  );

  it.each(protocols)("passes on deadlines and cancellation over %s", async (protocol) => {
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
    const call = proxySubscriptions.selectNode({ id: 1 }, { signal: stop.signal, timeoutMs: 600_000 });
    await expect.poll(() => timeoutMs).toBeGreaterThan(300_000);
    stop.abort();

    await expect(call).rejects.toMatchObject({ code: Code.Canceled });
    await expect.poll(() => ended).toBe(1);
    // Long enough for the call to reach the daemon on a busy machine.
    await expect(proxySubscriptions.selectNode({ id: 1 }, { timeoutMs: 2_000 })).rejects.toMatchObject({
      code: Code.DeadlineExceeded,
    });
    await expect.poll(() => ended).toBe(2);
    expect(findingsOf(await report())).toEqual({});
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

  it.each(protocols)("answers UNAVAILABLE over %s once the daemon is gone", async (protocol) => {
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
    const { url } = await startProxy(reference.address);
    await post(url, '{"id":1}', { "content-type": "application/json" });
    const outgoing = httpRequest(`${url}/accord/report`).end();
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece);

    expect(JSON.parse(Buffer.concat(pieces).toString())).toMatchObject({
      contract: "daemon",
      coverage: { exchanges: 1 },
    });
    await expect(proxyDaemon({ address: `unix:${reference.folder}/none.sock` })).rejects.toThrow(
      /cannot be reached.*none\.sock/,
    );
    await expect(proxyDaemon({ address: "none" })).rejects.toThrow("This is not the address of a server");
  });
});
