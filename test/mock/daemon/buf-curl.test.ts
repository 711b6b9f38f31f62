import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBuf } from "../../../src/base/run-buf.js";
import { loadDaemonCases } from "../../../src/daemon/daemon-contract.js";
import { createDaemonMock } from "../../../src/daemon/mock.js";
import { isThorough } from "../../support/thorough.js";

const { cases } = await loadDaemonCases();
const names = ["preview-mixed-list", "apply-new-network", "select-unknown-network", "login-cancel"];
const few = cases.filter(({ name }) => names.includes(name));

const folder = mkdtempSync(join(tmpdir(), "buf-curl-"));
const socket = join(folder, "daemon.sock");
let mock: Awaited<ReturnType<typeof createDaemonMock>>;
beforeAll(async () => {
  mock = await createDaemonMock({ port: 0, socket });
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

type Place = "TCP" | "Unix socket";

async function curl(place: Place, path: string, ...options: string[]): Promise<string> {
  const where =
    place === "TCP" ? [`${mock.addresses[0]}${path}`] : ["--unix-socket", socket, `http://localhost${path}`];
  return (await runBuf(".", "curl", ...options, ...where)).toString();
}

/** The combinations of transport, protocol and HTTP version. */
const combinations = (["TCP", "Unix socket"] as const).flatMap((place) => [
  { place, protocol: "grpc", http: 2 },
  { place, protocol: "grpcweb", http: 2 },
  { place, protocol: "grpcweb", http: 1 },
  { place, protocol: "connect", http: 2 },
  { place, protocol: "connect", http: 1 },
]);
const versionOf = (http: number) => (http === 2 ? ["--http2-prior-knowledge"] : []);

describe.each(combinations)("buf curl with $protocol over HTTP/$http on a $place", ({ place, protocol, http }) => {
  const overHttp2 = combinations.filter((one) => one.http === 2);
  const own = overHttp2.findIndex((one) => one.place === place && one.protocol === protocol);
  const parts = isThorough ? overHttp2.length : 4 * overHttp2.length;
  const share = cases.filter((one, index) => few.includes(one) || index % parts === own);
  // Each call starts a process, so most cases are called with at most one combination. One case of each kind is called with all.
  it.concurrent.each(http === 2 ? share : few)(
    "gets the response of $name, with the schema from reflection",
    async ({ rpc, request, reply, error }) => {
      const answer = curl(
        place,
        `/proxydaemon.v1.${rpc}`,
        "--protocol",
        protocol,
        ...versionOf(http),
        "--data",
        JSON.stringify(request),
      );
      if (error === undefined) expect(JSON.parse(await answer)).toEqual(reply);
      else {
        const output = await answer.then(String, (failure: Error) => failure.message);
        expect(JSON.parse(output.slice(output.indexOf("{")))).toMatchObject(error);
      }
    },
  );
});

describe("reflection", () => {
  it.each(["grpc-v1", "grpc-v1alpha"])("lists the services over %s", async (version) => {
    const listed = await curl("TCP", "", "--list-services", "--http2-prior-knowledge", "--reflect-protocol", version);
    expect(listed.trim().split("\n").sort()).toEqual([
      "grpc.health.v1.Health",
      "grpc.reflection.v1.ServerReflection",
      "grpc.reflection.v1alpha.ServerReflection",
      "proxydaemon.v1.MeshControlService",
      "proxydaemon.v1.ProxySubscriptions",
    ]);
  });

  it("lists the methods", async () => {
    const listed = await curl("Unix socket", "", "--list-methods", "--http2-prior-knowledge");
    expect(listed.split("\n").filter((line) => line.startsWith("proxydaemon."))).toEqual([
      "proxydaemon.v1.MeshControlService/LoginCancel",
      "proxydaemon.v1.ProxySubscriptions/ApplyImport",
      "proxydaemon.v1.ProxySubscriptions/PreviewImport",
      "proxydaemon.v1.ProxySubscriptions/SelectNode",
    ]);
  });

  it("is optional for a caller that has the contract", async () => {
    const answer = await curl(
      "TCP",
      "/proxydaemon.v1.ProxySubscriptions/SelectNode",
      "--schema",
      "proto",
      "--data",
      '{"id": 7}',
    );
    expect(JSON.parse(answer)).toEqual({ id: 7 });
  });
});
