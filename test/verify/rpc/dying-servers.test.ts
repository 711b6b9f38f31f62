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
let reading: RpcContract;

async function load(options: string): Promise<RpcContract> {
  const folder = mkdtempSync(join(tmpdir(), "accord-dying-"));
  const rpcs = ["A", "B", "C", "D"].map((name) => `rpc ${name}(M) returns (M) { ${options} }`).join(" ");
  writeFileSync(join(folder, "s.proto"), `syntax = "proto3"; package s.v1; message M {} service S { ${rpcs} }`);
  const loaded = await loadRpcContract({ name: "s", proto: folder });
  rmSync(folder, { recursive: true });
  return loaded;
}

beforeAll(async () => {
  contract = await load("");
  reading = await load("option idempotency_level = NO_SIDE_EFFECTS;");
});

/** Starts a server over HTTP/2 that replies to everything with an empty message, unless `answer` returns true. */
async function start(
  answer: (
    rpc: string,
    server: { cut: () => void; die: (restartMs?: number) => void },
    stream: ServerHttp2Stream,
  ) => boolean,
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
  const { rules, verdict, checks, exitCode } = toJsonReport(
    await verifyRpc(given.degree === "reads" ? reading : contract, { ...given, address }),
  );
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
      (rpc, _, { session }) => {
        if (rpc === "B") session?.destroy();
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

describe("a call that writes", () => {
  const refusal = { ":status": 200, "content-type": "application/grpc", "grpc-message": "later" };
  const flickers: Record<string, (stream: ServerHttp2Stream, server: { cut: () => void }) => boolean> = {
    "closes the connection": (_, { cut }) => cut() === undefined,
    "closes the connection once it is idle": (_, { cut }) => setTimeout(cut, 5) === undefined,
    "refuses the call for the moment": (stream) =>
      stream.respond({ ...refusal, "grpc-status": "14" }, { endStream: true }) === undefined,
    "refuses the call for its rate": (stream) =>
      stream.respond({ ...refusal, "grpc-status": "8" }, { endStream: true }) === undefined,
    "does not answer": () => true,
  };

  async function countCalls(flicker: (typeof flickers)[string]): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    let calls = 0;
    const address = await start((rpc, server, stream) => {
      if (rpc.length > 1) return false;
      counts[rpc] = (counts[rpc] ?? 0) + 1;
      return ++calls % 5 === 2 && flicker(stream, server);
    });
    await verify(address, { timeoutMs: 1_000 });
    return counts;
  }

  it("is never sent again, whatever the server does", async () => {
    const planned = await countCalls(() => false);
    const again: string[] = [];
    for (const [what, flicker] of Object.entries(flickers))
      for (const [rpc, count] of Object.entries(await countCalls(flicker)))
        if (count > (planned[rpc] ?? 0)) again.push(`${what}: ${rpc}`);
    expect(Object.keys(planned)).toHaveLength(4);
    expect(again).toEqual([]);
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
