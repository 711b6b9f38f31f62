import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { Code } from "@connectrpc/connect";
import { codeFromString } from "@connectrpc/connect/protocol-connect";
import { describe, expect, it } from "vitest";
import type { DaemonCall, DaemonHandlers, DaemonProtocol, DaemonServer } from "../../../src/daemon/index.js";
import { framed, rawCall, rawSession } from "./raw-grpc.js";
import { clientOf, serve, urlOf } from "./serve.js";

type Way = "connect+json" | "connect+proto" | "grpc-web+json" | "grpc-web+proto" | "grpc+json" | "grpc";

const contentTypes: Readonly<Record<Way, string>> = {
  "connect+json": "application/json",
  "connect+proto": "application/proto",
  "grpc-web+json": "application/grpc-web+json",
  "grpc-web+proto": "application/grpc-web+proto",
  "grpc+json": "application/grpc+json",
  grpc: "application/grpc",
};
const ways = Object.keys(contentTypes) as Way[];
const secret = "https://sub.example/s3cret-t0ken";

function protocolOf(way: Way): DaemonProtocol {
  return way.startsWith("connect") ? "connect" : way.startsWith("grpc-web") ? "grpc-web" : "grpc";
}

interface Answer {
  readonly code: Code | undefined;
  readonly message: string;
  /** The whole response. */
  readonly text: string;
}

function pathOf(rpc: string): string {
  return rpc.startsWith("/") ? rpc : `/proxydaemon.v1.${rpc}`;
}

async function call(
  server: DaemonServer,
  way: Way,
  message: Buffer,
  headers: Record<string, string> = {},
  path = "ProxySubscriptions/SelectNode",
  flag = 0,
): Promise<Answer> {
  const all = { "content-type": contentTypes[way], ...headers };
  const body = protocolOf(way) === "connect" ? message : framed(message, flag);
  if (protocolOf(way) === "grpc") {
    const answer = await rawCall(rawSession(server), { ...all, ":path": pathOf(path) }, [body]);
    return read(
      JSON.stringify({ ...answer.headers, ...answer.trailers })
        .replaceAll('"', "\n")
        .replaceAll("\n:\n", ": "),
    );
  }
  const sent = httpRequest(new URL(pathOf(path), urlOf(server)), { method: "POST", headers: all });
  // At the end of the test, the server may close before it has read the whole body.
  sent.on("error", () => {});
  sent.end(body);
  const [response] = await once(sent, "response");
  const answered = Buffer.concat(await response.toArray()).toString();
  if (protocolOf(way) === "grpc-web") return read(answered + JSON.stringify(response.headers));
  const { code, message: said = "" } = response.statusCode === 200 ? {} : JSON.parse(answered);
  const text = answered + JSON.stringify(response.headers);
  return { code: code === undefined ? undefined : codeFromString(code), message: said, text };
}

function read(text: string): Answer {
  const code = Number(/grpc-status: ?(\d+)/.exec(text)?.[1]);
  const message = decodeURIComponent(/grpc-message: ?([ -~]*)/.exec(text)?.[1] ?? "");
  return { code: code === 0 ? undefined : code, message, text };
}

function unreadable(way: Way): Buffer {
  return Buffer.from(way.endsWith("json") ? JSON.stringify({ id: secret }) : secret);
}

describe.each(ways)("a request in %s", (way) => {
  it("is rejected with a fixed message if it cannot be read", async () => {
    const calls: DaemonCall[] = [];
    const answer = await call(await serve({ onCall: (one) => calls.push(one) }), way, unreadable(way));
    expect(answer).toMatchObject({
      code: Code.InvalidArgument,
      message: "The request is not a valid ProxySubscriptionSelectRequest",
    });
    expect(answer.text).not.toMatch(/s3cret|t0ken/);
    expect(calls).toMatchObject([{ protocol: protocolOf(way), code: "invalid_argument" }]);
  });

  it("is rejected with the same message if it cannot be read, is long, and responses may be compressed", async () => {
    const long = Buffer.from(way.endsWith("json") ? JSON.stringify({ id: secret.repeat(500) }) : secret.repeat(500));
    const accept = { "accept-encoding": "gzip", "grpc-accept-encoding": "gzip" };
    const answer = await call(await serve(), way, long, accept);
    expect(answer).toMatchObject({
      code: Code.InvalidArgument,
      message: "The request is not a valid ProxySubscriptionSelectRequest",
    });
  });

  it("is rejected if it is too large", async () => {
    const calls: DaemonCall[] = [];
    const server = await serve({ onCall: (one) => calls.push(one) });
    const answer = await call(server, way, Buffer.alloc(4 * 1024 * 1024 + 1, " "));
    expect(answer).toMatchObject({ code: Code.ResourceExhausted, message: "The request is larger than 4 MiB" });
    expect(calls).toMatchObject([{ code: "resource_exhausted" }]);
  });

  it.each(["identity", "gzip"])("is rejected if it has too many values, in %s", async (coding) => {
    const values = Buffer.from(way.endsWith("json") ? `{"a":[${"{},".repeat(200_000)}{}]}` : "0a00".repeat(100_001));
    const bytes = way.endsWith("json") ? values : Buffer.from(values.toString(), "hex");
    const isPlain = coding === "identity";
    const header = protocolOf(way) === "connect" ? "content-encoding" : "grpc-encoding";
    const answer = await call(
      await serve(),
      way,
      isPlain ? bytes : gzipSync(bytes),
      { [header]: coding },
      undefined,
      isPlain ? 0 : 1,
    );
    expect(answer).toMatchObject({ code: Code.ResourceExhausted, message: "The request has too many values" });
  });

  it.each(["s3cret", "-1", "1.5"])("is rejected if its timeout is '%s'", async (timeout) => {
    const headers = { "connect-timeout-ms": timeout, "grpc-timeout": timeout };
    const answer = await call(await serve(), way, Buffer.from(way.endsWith("json") ? "{}" : ""), headers);
    expect(answer).toMatchObject({ code: Code.InvalidArgument, message: "The timeout of the request is malformed" });
    expect(answer.text).not.toContain("s3cret");
  });

  it("is accepted if its timeout is many years", async () => {
    const headers = { "connect-timeout-ms": "9999999999", "grpc-timeout": "99999999H" };
    const answer = await call(await serve(), way, Buffer.from(way.endsWith("json") ? "{}" : ""), headers);
    expect(answer.code).toBeUndefined();
  });

  it("is rejected if its compression is unknown", async () => {
    const headers = { "content-encoding": "s3cret", "grpc-encoding": "s3cret" };
    const answer = await call(await serve(), way, Buffer.from(way.endsWith("json") ? "{}" : ""), headers);
    expect(answer).toMatchObject({ code: Code.Unimplemented });
    expect(answer.text).not.toContain("s3cret");
  });

  it("causes no partial response if the reply cannot be encoded", async () => {
    const faults: unknown[] = [];
    const calls: DaemonCall[] = [];
    const selectNode = (() => ({ id: secret })) as unknown as DaemonHandlers["selectNode"];
    const server = await serve(
      { onFault: (fault) => faults.push(fault), onCall: (one) => calls.push(one) },
      { selectNode },
    );
    const answer = await call(server, way, Buffer.from(way.endsWith("json") ? "{}" : ""));
    expect(answer).toMatchObject({ code: Code.Internal, message: "The server failed" });
    expect(answer.text).not.toContain("s3cret");
    expect(faults).toHaveLength(1);
    expect(calls).toMatchObject([{ code: "internal" }]);
  });

  it("is accepted if it can be read", async () => {
    const calls: DaemonCall[] = [];
    const server = await serve({ onCall: (one) => calls.push(one) });
    const answer = await call(
      server,
      way,
      Buffer.from(way.endsWith("json") ? '{"id":7}' : "0807", way.endsWith("json") ? "utf8" : "hex"),
    );
    expect(answer.code).toBeUndefined();
    expect(calls).toMatchObject([{ rpc: "ProxySubscriptions/SelectNode", protocol: protocolOf(way), code: "ok" }]);
  });
});

describe("the Connect protocol of the server", () => {
  it("reads compressed requests, and rejects corrupt ones", async () => {
    const server = await serve();
    const headers = { "content-encoding": "gzip" };
    expect((await call(server, "connect+json", gzipSync('{"id":7}'), headers)).text).toContain('{"id":7}');
    const broken = await call(server, "connect+json", Buffer.from("s3cret"), headers);
    expect(broken).toMatchObject({ message: "The request is not a valid ProxySubscriptionSelectRequest" });
  });

  it.each(["]", "a b", "[::1", "%"])("survives a request for the host '%s'", async (host) => {
    const server = await serve();
    const socket = connect(Number(urlOf(server).port), "127.0.0.1");
    socket.write(
      `POST /proxydaemon.v1.ProxySubscriptions/SelectNode HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(Buffer.concat(await socket.toArray()).toString()).toMatch(/^HTTP\/1\.1 400/);
    expect(await clientOf(server).selectNode({ id: 1 })).toMatchObject({ id: 1 });
  });

  it("survives a request without a host", async () => {
    const server = await serve();
    const socket = connect(Number(urlOf(server).port), "127.0.0.1");
    socket.write(
      "POST /proxydaemon.v1.ProxySubscriptions/SelectNode HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    );
    expect(Buffer.concat(await socket.toArray()).toString()).toMatch(/^HTTP\/1\.1 400/);
    expect(await clientOf(server).selectNode({ id: 1 })).toMatchObject({ id: 1 });
  });

  describe.each(["grpc-web", "connect"] as const)("over %s", (protocol) => {
    async function start(onSelect: () => void) {
      const calls: DaemonCall[] = [];
      const selectNode = () => {
        onSelect();
        return new Promise<never>(() => {});
      };
      const server = await serve({ onCall: (one) => calls.push(one) }, { selectNode });
      return { client: clientOf(server, protocol), codes: () => calls.map(({ code }) => code) };
    }

    it("does not wait for a handler beyond the deadline", async () => {
      const { client, codes } = await start(() => {});
      let timeoutMs = 25;
      // A call whose deadline passes on its way does not arrive.
      const called = async () => {
        timeoutMs *= 2;
        await expect(client.selectNode({}, { timeoutMs })).rejects.toMatchObject({ code: Code.DeadlineExceeded });
        return codes()[0];
      };
      // The caller may disconnect before the daemon has noticed the deadline.
      await expect.poll(called).toMatch(/deadline_exceeded|canceled/);
    });

    it("does not wait for a handler whose caller disconnects", async () => {
      const canceling = new AbortController();
      const { client, codes } = await start(() => canceling.abort());
      const call = client.selectNode({}, { signal: canceling.signal });
      await expect(call).rejects.toMatchObject({ code: Code.Canceled });
      await expect.poll(codes).toEqual(["canceled"]);
    });
  });

  it.each(ways)("refuses a malformed request to the health service over %s", async (way) => {
    const server = await serve({});
    const path = "/grpc.health.v1.Health/Check";
    const { code } = await call(server, way, Buffer.from([0xff, 0xff, 0xff]), {}, path);
    expect(code).toBe(Code.InvalidArgument);
    expect((await call(server, way, Buffer.from(way.includes("json") ? "{}" : ""), {}, path)).code).toBe(undefined);
  });
});
