import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttp1Server } from "node:http";
import { createServer, type Http2Server, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { RpcContract } from "../../../src/contract/rpc/contract.js";
import { loadRpcContract } from "../../../src/contract/rpc/load-rpc-contract.js";
import { toJsonReport } from "../../../src/report/model/to-json-report.js";
import { type VerifyRpcOptions, verifyRpc } from "../../../src/verify/rpc/verify-rpc.js";

let contract: RpcContract;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "accord-dying-"));
  const rpcs = ["A", "B", "C", "D"]
    .map((name) => `rpc ${name}(M) returns (M) { option idempotency_level = NO_SIDE_EFFECTS; }`)
    .join(" ");
  writeFileSync(join(folder, "s.proto"), `syntax = "proto3"; package s.v1; message M {} service S { ${rpcs} }`);
  contract = await loadRpcContract({ name: "s", proto: folder });
  rmSync(folder, { recursive: true });
});

type Stream = Pick<ServerHttp2Stream, "once">;

/** Starts a server over HTTP/2 that replies to everything with an empty message, unless `answer` returns true. */
async function start(
  answer: (rpc: string, server: { cut: () => void; die: (restartMs?: number) => void }, stream: Stream) => boolean,
) {
  const sockets = new Set<Socket>();
  let server: Http2Server;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const die = (restartMs?: number) => {
    server.close();
    cut();
    if (restartMs !== undefined) setTimeout(() => void listenAt(port), restartMs);
  };
  const listenAt = (port: number) =>
    new Promise<number>((resolve) => {
      server = createServer();
      server.on("connection", (socket: Socket) => sockets.add(socket.on("close", () => sockets.delete(socket))));
      server.on("sessionError", () => {});
      server.on("stream", (stream, { ":path": path = "" }) => {
        stream.on("error", () => {});
        if (answer(path.split("/").at(-1) ?? "", { cut, die }, stream)) return;
        stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
        stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        stream.end(Buffer.alloc(5));
      });
      server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
  const port = await listenAt(0);
  onTestFinished(() => die());
  return `http://127.0.0.1:${port}`;
}

async function verify(address: string, options: Partial<VerifyRpcOptions> = {}) {
  const given = { degree: "everything", jobs: 4, timeoutMs: 5_000, ...options } as const;
  const { rules, verdict, checks, exitCode } = toJsonReport(await verifyRpc(contract, { ...given, address }));
  const of = (wanted: string) => rules.flatMap(({ id, state }) => (state === wanted ? id : [])).sort();
  const problems = checks.flatMap((check) => check.problems ?? []).join();
  return { broken: of("broken"), kept: of("kept"), problems, verdict, exitCode };
}

const others = ["S/A.response", "S/C.response", "S/D.response"];

describe("an RPC that gets no response", () => {
  it.each<[string, Parameters<typeof start>[0]]>([
    ["because it hangs", (rpc) => rpc === "B"],
    [
      "because it closes the connection",
      (rpc, { cut }) => {
        if (rpc === "B") cut();
        return rpc === "B";
      },
    ],
    [
      "because it ends the server, which comes back",
      (rpc, { die }) => {
        if (rpc === "B") die(300);
        return rpc === "B";
      },
    ],
  ])("%s breaks its own rule alone", async (_, answer) => {
    const { broken, kept, exitCode } = await verify(await start(answer));
    expect({ broken, kept, exitCode }).toEqual({ broken: ["S/B.response"], kept: others, exitCode: 1 });
  });

  it.each(["A", "B"])("because it ends the server, %s, which stays away, is named first", async (name) => {
    const address = await start((rpc, { die }) => {
      if (rpc === name) die();
      return rpc === name;
    });
    const { verdict, exitCode, kept } = await verify(address, { restartWaitMs: 0 });
    expect(verdict.sentence).toMatch(new RegExp(`^At [\\d:]+ UTC, after .*S/${name}.*, the server stopped listening`));
    expect(exitCode).toBeGreaterThan(0);
    expect(kept).not.toContain(`S/${name}.response`);
  });
});

describe("an RPC that ends the server a moment after its response", () => {
  it.each(["everything", "reads"] as const)(
    "breaks its own rule alone, if the server comes back (%s)",
    async (degree) => {
      const address = await start((rpc, { die }, stream) => {
        if (rpc === "B") stream.once("close", () => setTimeout(() => die(300), 5));
        return false;
      });
      const { broken, exitCode, problems } = await verify(address, { degree });
      expect({ broken, exitCode }).toEqual({ broken: ["S/B.response"], exitCode: 1 });
      expect(problems).toContain("S/B ended the server a moment after it was answered");
    },
  );
});

describe("a server over HTTP/1.1 that closes idle connections", () => {
  const status = Buffer.from("grpc-status: 0\r\n");
  it.each([
    ["connect", "application/proto", Buffer.alloc(0)],
    [
      "grpc-web",
      "application/grpc-web+proto",
      Buffer.concat([Buffer.alloc(5), Buffer.from([128, 0, 0, 0, status.length]), status]),
    ],
  ] as const)("breaks no rule (%s)", async (protocol, type, body) => {
    const used = new WeakSet<Socket>();
    const server = createHttp1Server((request, response) => {
      // As if the request met the end of the idle connection.
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      request.resume().once("end", () => response.writeHead(200, { "Content-Type": type }).end(body));
    });
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const { broken, kept, exitCode } = await verify(`http://127.0.0.1:${port}`, { restartWaitMs: 0, protocol });
    expect({ broken, kept, exitCode }).toEqual({ broken: [], kept: ["S/B.response", ...others].sort(), exitCode: 0 });
  });
});
