import { createServer as createHttp1Server } from "node:http";
import { createServer as createHttp2Server, createSecureServer } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { connectionFailure } from "../../../src/verify/rpc/call-failure.js";
import { createCall } from "../../../src/verify/rpc/create-call.js";
import { selfSigned } from "../../support/self-signed.js";
import { stopLater, targetAt } from "./example-daemon.js";

async function portOf(server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  stopLater(() => {
    for (const socket of open) socket.destroy();
    return new Promise((done) => server.close(done));
  });
  return (server.address() as AddressInfo).port;
}

const servers = {
  "HTTP/1.1": () => createHttp1Server(),
  "HTTP/2": () => createHttp2Server(),
  "HTTP/1.1 over TLS": () => createHttpsServer(selfSigned),
  "HTTP/2 over TLS": () => createSecureServer(selfSigned),
  SSH: () => createServer((socket) => socket.write("SSH-2.0-OpenSSH_9.2\r\n")),
  nothing: () => createServer((socket) => socket.end()),
};

describe("a call to a server of another protocol", () => {
  const hungUp = "it ended the connection before it answered";
  const table = [
    ["HTTP/1.1", "grpc", "http", "the server there does not speak HTTP/2"],
    ["SSH", "grpc", "http", "the server there does not speak HTTP/2"],
    ["HTTP/1.1 over TLS", "grpc", "https", "the server there does not speak HTTP/2"],
    ["HTTP/2", "connect", "http", "the server there does not speak HTTP/1.1"],
    ["HTTP/2", "grpc-web", "http", "the server there does not speak HTTP/1.1"],
    ["SSH", "connect", "http", "the server there does not speak HTTP/1.1"],
    ["HTTP/2", "grpc", "https", "no TLS connection can be made"],
    ["HTTP/1.1", "connect", "https", "no TLS connection can be made"],
    ["HTTP/2 over TLS", "grpc", "https", "its certificate is not accepted: self-signed certificate"],
    ["HTTP/1.1 over TLS", "connect", "https", "its certificate is not accepted: self-signed certificate"],
    ["HTTP/2 over TLS", "grpc", "http", hungUp],
    ["HTTP/1.1 over TLS", "connect", "http", hungUp],
    ["nothing", "grpc", "http", hungUp],
    ["nothing", "connect", "http", hungUp],
  ] as const;
  it.each(table)("reports %s as unreachable over %s at %s://", async (spoken, protocol, scheme, text) => {
    const port = await portOf(servers[spoken]());
    const call = createCall(targetAt(`${scheme}://127.0.0.1:${port}`, protocol));
    const answer = await call("MeshControlService/LoginCancel", {});
    expect(answer).toMatchObject({ kind: "unreachable", text, help: expect.stringMatching(/^[A-Z]/) });
  });

  it("gets a malformed response if the server resets only the stream of this call", async () => {
    const server = createHttp2Server();
    server.on("stream", (stream) => stream.on("error", () => {}).close(2));
    const call = createCall(targetAt(`http://127.0.0.1:${await portOf(server)}`));
    expect(await call("MeshControlService/LoginCancel", {})).toMatchObject({ kind: "malformed" });
  });
});

describe("connectionFailure", () => {
  const failed = (code: string, message: string) => {
    const error = new ConnectError(message, Code.Internal);
    error.cause = new Error("outer", { cause: Object.assign(new Error(message), { code }) });
    return connectionFailure(error, "grpc");
  };

  it.each([
    ["CERT_HAS_EXPIRED", /^its certificate is not accepted: no$/, /NODE_EXTRA_CA_CERTS/],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", /^its certificate is not accepted/, /NODE_EXTRA_CA_CERTS/],
    ["ERR_TLS_CERT_ALTNAME_INVALID", /^its certificate is not accepted/, /NODE_EXTRA_CA_CERTS/],
    ["ERR_SSL_WRONG_VERSION_NUMBER", /^no TLS connection/, /http:\/\//],
    ["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL", /does not speak HTTP\/2/, /--protocol connect/],
    ["HPE_INVALID_CONSTANT", /does not speak HTTP\/1\.1/, /--protocol grpc/],
    ["EPIPE", /ended the connection/, /still runs/],
    ["ECONNREFUSED", /^no$/, /^Start the server/],
  ])("explains the code %s", (code, text, help) => {
    expect(failed(code, "no")).toMatchObject({
      text: expect.stringMatching(text),
      help: expect.stringMatching(help),
    });
  });

  it("returns one line", () => {
    expect(failed("ECONNREFUSED", "a\nb\r\n  c\n")).toMatchObject({ text: "a b c" });
  });

  it("returns undefined for an unknown error", () => {
    expect(failed("EWHATEVER", "no")).toBeUndefined();
  });

  it("handles circular causes", () => {
    const error = new ConnectError("no", Code.Internal);
    error.cause = error;
    expect(connectionFailure(error, "grpc")).toBeUndefined();
  });
});
