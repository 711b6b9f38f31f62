import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadDaemonCases } from "../../../src/daemon/daemon-contract.js";
import { createDaemonClient, type DaemonClient, type DaemonProtocol } from "../../../src/daemon/index.js";
import { createDaemonMock } from "../../../src/daemon/mock.js";
import { callRpc, outcomeOf } from "./call-case.js";

const { cases } = await loadDaemonCases();
const protocols: readonly DaemonProtocol[] = ["grpc", "grpc-web", "connect"];
const addresses = ["TCP", "Unix socket"] as const;
const matrix = addresses.flatMap((address, position) => protocols.map((protocol) => ({ address, position, protocol })));

const folder = mkdtempSync(join(tmpdir(), "matrix-"));
let mock: Awaited<ReturnType<typeof createDaemonMock>>;
beforeAll(async () => {
  mock = await createDaemonMock({ port: 0, socket: join(folder, "daemon.sock") });
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

describe.each(matrix)("the daemon mock over $protocol on a $address", ({ position, protocol }) => {
  let client: DaemonClient;
  beforeAll(() => {
    client = createDaemonClient({ address: mock.addresses[position] ?? "", protocol });
  });
  afterAll(() => client.close());

  it.each(cases)("returns the case $name by its request", async (one) => {
    expect(await callRpc(client, one.rpc, one.request)).toEqual(outcomeOf(one));
  });

  it.each(cases)("returns the case $name by its name", async (one) => {
    const another: JsonObject = one.rpc === "MeshControlService/LoginCancel" ? {} : { id: 123 };
    const request: JsonObject =
      one.rpc === "ProxySubscriptions/PreviewImport" ? { url: "https://other.example" } : another;
    const options = { headers: { prefer: `case=${one.name}` } };
    expect(await callRpc(client, one.rpc, request, options)).toEqual(outcomeOf(one));
  });

  it("responds to a call after the client was closed", async () => {
    client.close();
    expect(await callRpc(client, "MeshControlService/LoginCancel", {})).toEqual({ reply: {} });
  });
});
