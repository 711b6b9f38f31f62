import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingHttpHeaders } from "node:http";
import { createServer as createHttp2Server, createSecureServer, type ServerHttp2Stream } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { loadRpcContract } from "../../../src/contract/rpc/load-rpc-contract.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { createSecret } from "../../../src/secrets/secret.js";
import { callHttp } from "../../../src/verify/http/call-http.js";
import { createCall } from "../../../src/verify/rpc/create-call.js";
import { verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";
import { createRenewedToken } from "../../../src/verify/token-command.js";
import { withCertificate } from "../../../src/wire/client-certificate.js";
import { createRpcTransport } from "../../../src/wire/rpc-transport.js";
import { listenOn } from "../../support/listen-on.js";
import { selfSigned } from "../../support/self-signed.js";
import { honestAnswers, serveLibrary } from "./library/serve.js";

const library = fileURLToPath(new URL("library", import.meta.url));
const getBook = "catalogue.v1.Books/GetBook";
afterEach(() => vi.unstubAllEnvs());

/** A copy of the library with states, and one case whose `given` is as in `given`. */
function libraryWith(given: string, { hasCatalogue = true } = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "accord-access-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(library, folder, { recursive: true, filter: (path) => !/cases\/|\.ts$/.test(path) });
  writeFileSync(
    join(folder, "cases", "books.yaml"),
    `rpc: ${getBook}\ncases:\n  - name: lent-book\n    rpc: ${getBook}\n    given:\n${given}\n    bind: { id: lent.book }\n    request: { id: "9007199254740993" }\n    reply: {}\n`,
  );
  if (hasCatalogue)
    writeFileSync(
      join(folder, "states.yaml"),
      "x-callers: {}\nx-states:\n  bookIsLent:\n    description: A book is lent.\n    params: {type: object, additionalProperties: false, properties: {reader: {type: string}}}\n    values: {type: object, properties: {book: {type: string}, token: {type: string}}}\n",
    );
  return folder;
}

const load = (proto: string) => loadRpcContract({ name: "library", proto });
const lent = "      - { id: lent, state: bookIsLent, params: { reader: Ada } }";

async function serveStates(status: number, answer: object) {
  const setups: unknown[] = [];
  const server = createHttpServer(async (request, response) => {
    setups.push(JSON.parse(await text(request)));
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
  });
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${await listenOn(server)}/states`, setups };
}

describe("provider states of a case of RPCs", () => {
  it("are set up before the call, which takes their values", async () => {
    const contract = await load(libraryWith(lent));
    const { url, setups } = await serveStates(200, { book: "42", token: "t-Zq8LhVw3" });
    const asked: unknown[] = [];
    const server = await serveLibrary(contract, {
      ...honestAnswers(),
      [getBook]: (request) => {
        asked.push(request.id);
        return { title: "t-Zq8LhVw3" };
      },
    });
    onTestFinished(server.close);
    const report = await verifyRpc(contract, {
      address: server.addresses[0] ?? "",
      statesUrl: url,
      degree: "everything",
    });

    expect(report.checks.find(({ id }) => id === "case lent-book")?.outcome.kind).toBe("passed");
    expect(asked).toContain("42");
    expect(setups).toContainEqual({
      state: "bookIsLent",
      params: { reader: "Ada" },
      action: "setup",
      check: "case lent-book",
    });
    expect(JSON.stringify(toJsonReport(report))).not.toContain("t-Zq8LhVw3");
  });

  it("say which setup failed and how", async () => {
    const contract = await load(libraryWith(lent));
    const { url } = await serveStates(500, { msg: "no such reader" });
    const server = await serveLibrary(contract, honestAnswers());
    onTestFinished(server.close);
    const report = await verifyRpc(contract, {
      address: server.addresses[0] ?? "",
      statesUrl: url,
      degree: "everything",
    });

    expect(report.checks.find(({ id }) => id === "case lent-book")?.outcome).toMatchObject({
      kind: "errored",
      reason: expect.stringMatching(/bookIsLent could not be set up: status 500, .*no such reader/),
    });
  });

  it.each([
    ["an unknown state", lent.replace("IsLent", "IsLend"), {}, "There is no provider state `bookIsLend`"],
    ["a state without a catalogue", lent, { hasCatalogue: false }, "There is no provider state `bookIsLent`"],
    ["an unknown parameter", lent.replace("reader", "raeder"), {}, "raeder"],
    ["an unknown value", lent.replace("lent,", "other,"), {}, "no earlier call is named lent"],
  ])("are mistakes of the contract with %s", async (_, given, options, text) => {
    await expect(load(libraryWith(given, options))).rejects.toThrow(text);
  });
});

/** Serves gRPC: notes the headers of calls, and refuses each with them as its message. */
function refuseWithHeaders(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, seen: IncomingHttpHeaders[]): void {
  seen.push(headers);
  const said = encodeURIComponent(JSON.stringify(headers));
  stream.respond(
    { ":status": 200, "content-type": "application/grpc", "grpc-status": "16", "grpc-message": said },
    { endStream: true },
  );
}

async function serveHeaders() {
  const seen: IncomingHttpHeaders[] = [];
  const server = createHttp2Server();
  server.on("stream", (stream, headers) => refuseWithHeaders(stream, headers, seen));
  const port = await listenOn(server);
  onTestFinished(() => void server.close());
  return { address: `http://127.0.0.1:${port}`, port, seen };
}

describe("the metadata of calls", () => {
  it.each([
    ["t0ken-Zq8LhVw3", "Bearer t0ken-Zq8LhVw3"],
    ["ada:pass-Zq8LhVw3", `Basic ${Buffer.from("ada:pass-Zq8LhVw3").toString("base64")}`],
  ])("has the account %s as credentials, which no report shows", async (account, authorization) => {
    const { address, seen } = await serveHeaders();
    const contract = await load(library);
    const headers = ["x-api-key: key-Zq8LhVw3", "x-tenant: acme"];
    const options = { address, account: createSecret(account), headers };
    // Asks reflection for what it may not call.
    await verifyRpc(contract, options);
    const report = await verifyRpc(contract, { ...options, degree: "everything" });

    expect(seen.length).toBeGreaterThan(3);
    for (const given of seen)
      expect(given).toMatchObject({ authorization, "x-api-key": "key-Zq8LhVw3", "x-tenant": "acme" });
    const shown = JSON.stringify(toJsonReport(report));
    expect(shown).toContain("x-tenant: acme");
    for (const secret of ["Zq8LhVw3", authorization]) expect(shown).not.toContain(secret);
  });

  it("has a token that is printed again when the server refuses it", async () => {
    const { address, seen } = await serveHeaders();
    const { transport, close } = createRpcTransport({ address });
    onTestFinished(close);
    const token = await createRenewedToken("date +%N");
    const metadata = {
      headers: () => ({ authorization: token.secret.reveal() }),
      secrets: token.all,
      shown: [],
      token,
    };
    const call = () => createCall({ contract: bare, transport, protocol: "grpc", metadata })(getBook, {});
    await call();
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await call();
    await call();

    expect(token.all()).toHaveLength(2);
    expect(seen.map(({ authorization }) => authorization)).toEqual([token.all()[0], token.all()[0], token.all()[1]]);
  });
});

const bare = await load(library);

describe("a client certificate", () => {
  it.each(["grpc", "connect"] as const)("is shown over %s, and to the API", async (protocol) => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    const shown: boolean[] = [];
    const note = (socket: TLSSocket) => shown.push(Object.keys(socket.getPeerCertificate()).length > 0);
    const options = { ...selfSigned, requestCert: true, rejectUnauthorized: false };
    const http2 = createSecureServer(options);
    const https = createHttpsServer(
      options,
      (request, response) => void response.end(String(note(request.socket as TLSSocket))),
    );
    http2.on("secureConnection", note);
    http2.on("stream", (stream, headers) => refuseWithHeaders(stream, headers, []));
    onTestFinished(() => {
      http2.close();
      https.closeAllConnections();
      https.close();
    });
    const [port, apiPort] = [
      await listenOn(protocol === "grpc" ? http2 : https),
      await listenOn(https.listening ? createHttpsServer() : https),
    ];
    const { cert, key } = selfSigned;
    const certificate = { cert: String(cert), key: String(key) };
    const { transport, close } = createRpcTransport({ address: `https://localhost:${port}`, protocol, certificate });
    onTestFinished(close);
    await createCall({ contract: bare, transport, protocol })(getBook, {});
    const origin = `https://localhost:${protocol === "grpc" ? apiPort : port}`;
    const ask = () => callHttp({ method: "GET", url: `${origin}/`, headers: {} }, { timeoutMs: 10_000 });
    await withCertificate(certificate, origin, ask);
    await ask();

    expect(shown).toEqual([true, true, false]);
  });
});

describe("the proxy of the environment", () => {
  it("leads to every host but those of NO_PROXY and of this machine", async () => {
    const { port, seen } = await serveHeaders();
    const passed: string[] = [];
    const proxy = createHttpServer((request, response) => {
      passed.push(request.url ?? "");
      response.end("from the proxy");
    });
    proxy.on("connect", (request, socket) => {
      passed.push(`CONNECT ${request.url}`);
      const onward = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      for (const one of [onward, socket]) one.on("error", () => {});
    });
    vi.stubEnv("HTTP_PROXY", `http://ada:secret@127.0.0.1:${await listenOn(proxy)}`);
    vi.stubEnv("NO_PROXY", "example.net, internal.test:99");
    onTestFinished(() => void proxy.close());
    const { transport, close } = createRpcTransport({ address: "http://api.internal.test:80", usesProxy: true });
    onTestFinished(close);
    const answer = await createCall({ contract: bare, transport, protocol: "grpc" })(getBook, {});
    const read = (url: string) => callHttp({ method: "GET", url, headers: {} }, { timeoutMs: 10_000 });
    const direct = createHttpServer((_, response) => response.end("direct"));
    onTestFinished(() => void direct.close());

    expect(answer).toMatchObject({ kind: "error", code: "unauthenticated" });
    expect(seen).toHaveLength(1);
    expect(String((await read("http://api.example.com/a?b=c")).bytes)).toBe("from the proxy");
    expect(String((await read(`http://127.0.0.1:${await listenOn(direct)}/`)).bytes)).toBe("direct");
    await expect(read("http://www.example.net/")).rejects.toThrow();
    expect(passed).toEqual(["CONNECT api.internal.test:80", "http://api.example.com/a?b=c"]);
  });

  it("is named if it cannot be reached", async () => {
    vi.stubEnv("HTTP_PROXY", "http://127.0.0.1:1");
    const call = { method: "GET", url: "http://api.example.com/", headers: {} };
    await expect(callHttp(call, { timeoutMs: 10_000 })).rejects.toThrow("the proxy 127.0.0.1 cannot be reached");
  });
});

describe("an http address of a server that speaks TLS", () => {
  it("is named as such by both kinds of verification", async () => {
    const https = createHttpsServer(selfSigned);
    const port = await listenOn(https);
    onTestFinished(() => void https.close());
    const address = `http://127.0.0.1:${port}`;
    const said = /speaks TLS.*: write https:\/\/ instead of http:\/\//;

    for (const protocol of ["grpc", "connect"] as const)
      await expect(verifyRpc(bare, { address, protocol })).rejects.toThrow(said);
    await expect(callHttp({ method: "GET", url: address, headers: {} }, { timeoutMs: 10_000 })).rejects.toThrow(said);
  });
});
