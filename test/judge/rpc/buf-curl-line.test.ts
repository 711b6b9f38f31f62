import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadDaemonContract } from "../../../src/daemon/daemon-contract.js";
import type { DaemonProtocol } from "../../../src/daemon/index.js";
import { createDaemonMock } from "../../../src/daemon/mock.js";
import { bufCurlLine } from "../../../src/judge/rpc/repeat-command.js";

const contract = await loadDaemonContract();
const rpc = "ProxySubscriptions/ApplyImport";
const request = { url: "https://me:s3cret@sub.example/t0ken", name: 'it\'s $HOME `a` "b"\n\\' };

describe("bufCurlLine", () => {
  it("names protocol, place and schema, and masks the URL", () => {
    expect(
      bufCurlLine({ contract, address: "http://127.0.0.1:4020", protocol: "grpc", rpc, request: { url: request.url } }),
    ).toBe(
      "buf curl --schema proto --protocol grpc --http2-prior-knowledge" +
        ` --data '{"url":"https://sub.example/***"}' http://127.0.0.1:4020/proxydaemon.v1.${rpc}`,
    );
  });

  it.each<[string, DaemonProtocol, string[], string[]]>([
    [
      "unix:/run/a b.sock",
      "grpc",
      ["--http2-prior-knowledge", "--unix-socket '/run/a b.sock'", "http://localhost/"],
      [],
    ],
    ["http://127.0.0.1:1", "grpc-web", ["--protocol grpcweb"], ["--http2"]],
    ["https://daemon.example", "grpc", ["--protocol grpc", "https://daemon.example/proxydaemon.v1."], ["--http2"]],
    ["https://daemon.example:8443", "connect", ["--protocol connect", "https://daemon.example:8443/"], ["--http2"]],
  ])("formats a command for %s over %s", (address, protocol, parts, others) => {
    const line = bufCurlLine({ contract, address, protocol, rpc, request });
    for (const part of parts) expect(line).toContain(part);
    for (const other of others) expect(line).not.toContain(other);
  });
});

describe("the command in a shell", () => {
  const folder = mkdtempSync(join(tmpdir(), "buf curl-"));
  let mock: Awaited<ReturnType<typeof createDaemonMock>>;
  beforeAll(async () => {
    mock = await createDaemonMock({ port: 0, socket: join(folder, "it's.sock") });
  });
  afterAll(async () => {
    await mock.close();
    rmSync(folder, { recursive: true });
  });

  it("is split into the intended words", async () => {
    const line = bufCurlLine({ contract, address: "http://127.0.0.1:1", protocol: "connect", rpc, request });
    const { stdout } = await promisify(execFile)("sh", ["-c", line.replace("buf curl", "printf '%s\\0'")]);
    expect(stdout.split("\0")).toContain(JSON.stringify({ ...request, url: "https://sub.example/***" }));
  });

  it.each(
    [0, 1].flatMap((position) => (["grpc", "grpc-web", "connect"] as const).map((way) => [position, way] as const)),
  )("repeats the call, at address %i over %s", async (position, protocol) => {
    const address = mock.addresses[position] ?? "";
    const selection = { id: 7, selectedOrdinal: 2 };
    const line = bufCurlLine({ contract, address, protocol, rpc: "ProxySubscriptions/SelectNode", request: selection });
    const { stdout } = await promisify(execFile)("sh", ["-c", `PATH=node_modules/.bin:$PATH; ${line}`]);
    expect(JSON.parse(stdout)).toEqual(selection);
  });
});
