import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { Client, credentials, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ProxySubscriptionSelectRequest,
  ProxySubscriptionSelectRequestSchema,
  type ProxySubscriptionSelectResponse,
  ProxySubscriptionSelectResponseSchema,
} from "../../../src/daemon/index.js";
import { createDaemonMock } from "../../../src/daemon/mock.js";

const folder = mkdtempSync(join(tmpdir(), "grpc-js-"));
let mock: Awaited<ReturnType<typeof createDaemonMock>>;
beforeAll(async () => {
  mock = await createDaemonMock({ port: 0, socket: join(folder, "daemon.sock") });
});
afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

function selectNode(client: Client, request: ProxySubscriptionSelectRequest, metadata = new Metadata()) {
  return new Promise<ProxySubscriptionSelectResponse | undefined>((resolve, reject) => {
    client.makeUnaryRequest(
      "/proxydaemon.v1.ProxySubscriptions/SelectNode",
      (message: ProxySubscriptionSelectRequest) => Buffer.from(toBinary(ProxySubscriptionSelectRequestSchema, message)),
      (bytes) => fromBinary(ProxySubscriptionSelectResponseSchema, bytes),
      request,
      metadata,
      (error: ServiceError | null, reply) => (error === null ? resolve(reply) : reject(error)),
    );
  });
}

describe.each([0, 1])("a client of another gRPC library, on address %i", (position) => {
  let client: Client;
  beforeAll(() => {
    client = new Client((mock.addresses[position] ?? "").replace("http://", ""), credentials.createInsecure());
  });
  afterAll(() => client.close());

  it("receives the reply of a case", async () => {
    const request = create(ProxySubscriptionSelectRequestSchema, { id: 7, selectedOrdinal: 2 });
    expect(await selectNode(client, request)).toMatchObject({ id: 7, selectedOrdinal: 2 });
  });

  it("receives the error of a case that it requests", async () => {
    const metadata = new Metadata();
    metadata.set("prefer", "case=select-unknown-network");
    await expect(selectNode(client, create(ProxySubscriptionSelectRequestSchema), metadata)).rejects.toMatchObject({
      code: status.NOT_FOUND,
      details: "There is no network with id 4711",
    });
  });
});
